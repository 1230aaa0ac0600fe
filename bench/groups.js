import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, millisecondsOf } from './measure.js'
import { Project, temporaryFolder } from './project.js'

/** How long local runs of groups take that do nothing, with two slots, from the command to the prompt. */
export const groupRows = [
  {
    name: 'groups',
    what: '1,000 groups of `exit 0`, two at a time',
    reference: '`xargs -P2`',
    target: '≤ 1.0×',
    measure() {
      const project = new Project(['noop'])
      const prepareFolders = xargsFolders(1000)
      return inTurn(
        9,
        () => project.run('noop', 1000),
        () => xargs(prepareFolders()),
      )
    },
  },
  {
    name: 'growth',
    what: '10,000 such groups: time for each',
    reference: 'of 1,000',
    target: '≤ 1.1×',
    measure() {
      const project = new Project(['noop'])
      return inTurn(
        5,
        () => project.run('noop', 10_000) / 10_000,
        () => project.run('noop', 1000) / 1000,
      )
    },
  },
]

/** Makes new folders each time it is called, since it is not their making that is compared. */
function xargsFolders(count) {
  const parent = temporaryFolder()
  let round = 0
  return () => {
    const folder = join(parent, String(round++))
    for (let number = 1; number <= count; number++) mkdirSync(join(folder, String(number)), { recursive: true })
    writeFileSync(join(folder, 'noop.sh'), 'exit 0\n')
    return { folder, count }
  }
}

function xargs({ folder, count }) {
  const line = `seq ${count} | xargs -P2 -I{} sh -c 'sh noop.sh >{}/out 2>{}/err'`
  return millisecondsOf('sh', ['-c', line], { cwd: folder })
}
