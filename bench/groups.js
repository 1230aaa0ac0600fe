import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, millisecondsOf } from './measure.js'
import { Project, temporaryFolder } from './project.js'

const one = "'sh noop.sh >{}/out 2>{}/err'"

/** What else runs a thousand commands two at a time: each a line for sh, in a folder that has noop.sh and a folder for each. */
const peers = [
  { name: 'groups', reference: '`xargs -P2`', line: `seq 1000 | xargs -P2 -I{} sh -c ${one}`, rounds: 9 },
  {
    name: 'groups-parallel',
    reference: 'GNU parallel',
    line: `seq 1000 | parallel --jobs 2 ${one}`,
    rounds: 5,
    needs: { program: 'parallel', package: 'parallel' },
  },
  {
    name: 'groups-snakemake',
    reference: 'Snakemake',
    line: 'snakemake --quiet --cores 2',
    rounds: 5,
    needs: { program: 'snakemake', package: 'snakemake' },
  },
]

/** How long local runs of groups take that do nothing, with two slots, from the command to the prompt. */
export const groupRows = [
  ...peers.map(({ line, rounds, ...row }) => ({
    ...row,
    what: '1,000 groups of `exit 0`, two at a time',
    target: '≤ 1.0×',
    measure() {
      const project = new Project(['noop'])
      return inTurn(
        rounds,
        () => project.run('noop', 1000),
        () => millisecondsOf('sh', ['-c', line], { cwd: peerFolder() }),
      )
    },
  })),
  {
    name: 'growth',
    what: '10,000 such groups: time for each',
    reference: 'of 1,000',
    target: '≤ 1.0×',
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

const snakefile = `rule all:
    input: expand('{i}/done', i=range(1, 1001))
rule group:
    output: touch('{i}/done')
    shell: 'sh noop.sh >{wildcards.i}/out 2>{wildcards.i}/err'
`

/** A new folder each time, since it is not its making that is compared. */
function peerFolder() {
  const folder = temporaryFolder()
  for (let number = 1; number <= 1000; number++) mkdirSync(join(folder, String(number)))
  writeFileSync(join(folder, 'noop.sh'), 'exit 0\n')
  writeFileSync(join(folder, 'Snakefile'), snakefile)
  return folder
}
