import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { TaskRun } from '../../runners/task.js'

/** Bash reads this before the shell of a group, and tells it to end ahead of its commands number AT and AT + GAP. */
const teller = `if [ "\${0##*/}" = job.sh ]; then
  set -T
  qanat_tell() {
    [ "$qanat_mode" = one ] && [ "$BASHPID" = $$ ] || return
    qanat_step=$((qanat_step + 1))
    [ "$qanat_step" != "$AT" ] || : >"$BASH_ENV.told"
    case $qanat_step in "$AT" | $((AT + GAP))) kill -TERM $$ ;; esac
  }
  trap qanat_tell DEBUG
fi
`

/** At every command, or for every change at every tenth. */
const stride = 10 / cases(10)

const setUp = 'touch "$QANAT_PROJECT/set_up"'
const tornDown = 'echo torn down >>"$QANAT_PROJECT/torn_down"'

/** Runs a group that is told to end twice. @returns whether it was told before it ended by itself */
async function toldAt(step: number, gap: number): Promise<boolean> {
  const run = new TaskRun('bash', {
    script: 'echo begun\nsleep 0.05\necho ended\n',
    environment: { setup: setUp, teardown: tornDown, scratch: true },
  })
  const project = (name: string) => join(run.plan.projectRoot, name)
  writeFileSync(project('teller'), teller)
  await run.run({ before: `export BASH_ENV='${project('teller')}' AT=${step} GAP=${gap}` })
  expect({ step, ...run.lastOf() }).toMatchObject({ step, kind: 'end' })
  expect([step, run.read('.run/warnings.txt')]).toEqual([step, null])
  const isSetUp = existsSync(project('set_up'))
  const traces = existsSync(project('torn_down')) && readFileSync(project('torn_down'), 'utf8')
  if (isSetUp) expect([step, traces]).toEqual([step, 'torn down\n'])
  return existsSync(project('teller.told'))
}

describe('the shell of a group that is told to end twice', () => {
  test.each([1, 2, 5])('%s commands apart, at whatever command, is torn down, and its end is recorded', async gap => {
    let next = 1
    let isOver = false
    const walk = async () => {
      for (let step = next; !isOver; step = next) {
        next += stride
        if (!(await toldAt(step, gap))) isOver = true
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, walk))
    expect(next).toBeGreaterThan(100)
  })
})
