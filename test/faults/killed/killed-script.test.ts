import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Folder } from '../../e2e/project.js'
import { executions, finishesAgain, projectIn, settled } from './crash.js'

/**
 * Bash reads this before the job script, and kills a worker of the pool, or the shell of a group, ahead of its command number
 * QANAT_KILL_AT, once. Each process counts by itself.
 */
const killer = `if [ -n "$QANAT_KILL_AT" ] && [ "\${0##*/}" = job.sh ]; then
  set -T
  qanat_count() {
    [ "$BASHPID" = "$qanat_mine" ] || qanat_mine=$BASHPID qanat_step=0
    qanat_step=$((qanat_step + 1))
    [ "$qanat_step" = "$QANAT_KILL_AT" ] && { [ "$qanat_mode" = one ] || [ "$BASHPID" != $$ ]; } || return 0
    mkdir "$QANAT_KILLED" 2>/dev/null && kill -9 "$BASHPID"
  }
  trap qanat_count DEBUG
fi
`

async function killedAt(step: number, template: string): Promise<{ folder: Folder; was: boolean }> {
  const folder = await projectIn('works')
  const own = (name: string) => join(folder.path, '.qanat', name)
  folder.write('.qanat/killer', killer)
  folder.write('.qanat/config.yaml', `local:\n  default: ${template}\n`)
  folder.commit()
  const variables = { BASH_ENV: own('killer'), QANAT_KILL_AT: String(step), QANAT_KILLED: own('killed') }
  Object.assign(folder.environment, variables)
  await folder.qanat('run', 'it', '-R', '--n 0 3 1')
  for (const name of Object.keys(variables)) delete folder.environment[name]
  return { folder, was: existsSync(own('killed')) }
}

/** None ran twice; one that is said to be pending, or not to have been launched, did not run, and one that finished did. */
async function tellsWhatIsKnown(folder: Folder): Promise<void> {
  const [run] = await settled(folder)
  const times = executions(folder)
  expect([...times].filter(([, count]) => count > 1)).toEqual([])
  for (const { index, status, cause } of run!.group_list) {
    const ran = times.has(`1.${index} works`)
    const isKnown = status === 'finished' || status === 'pending' || cause === 'launch'
    if (isKnown) expect([index, ran]).toEqual([index, status === 'finished'])
    else expect([index, cause]).toEqual([index, expect.stringMatching(/^(vanished|signal)$/)])
  }
}

describe.each([
  ['in one shell for all groups', '{}', 9],
  ['in a shell for each group', '{ setup: ":", teardown: ":" }', 17],
])('a job script that runs %s and is killed', (_, template, stride) => {
  test('at any command runs no group twice, and reports no wrong state', async () => {
    let step = 1
    for (; ; step += stride) {
      const { folder, was } = await killedAt(step, template)
      await tellsWhatIsKnown(folder)
      if (!was) break
      await finishesAgain(folder)
    }
    expect(step).toBeGreaterThan(40)
  })
})
