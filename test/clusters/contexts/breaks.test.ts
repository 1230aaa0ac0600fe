import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { noBox } from '../project.js'
import { type ContextProject, contextProject, withLaptop } from './laptop.js'

/** More than a launch has. */
const mostSessions = 20

describe.skipIf(noBox)('a launch in a context', () => {
  const laptop = withLaptop()

  describe.each(['slurm', 'local'])('on %s', runner => {
    test.each(['before', 'after', 'cut'])(
      'that breaks %s each of its sessions runs every group once, or none',
      async how => {
        const it = await contextProject(laptop(), 'echo "$QANAT_RUN_ID" >>"$QANAT_PROJECT/.qanat/log"\n')
        for (let at = 1; at < mostSessions; at++) {
          const before = (await runs(it)).length
          const sessions = it.path(`../sessions_${at}`)
          const broken = it.with({ BREAK_AT: String(at), BREAK: how, SESSIONS: sessions })
          await broken.qanat('run', '--detach', '--runner', runner, 'it', '-R', '--seed 0 3 1')
          const isBroken = readFileSync(sessions, 'utf8').split('\n').length > at
          const after = await runs(it)
          if (after.length > before) {
            const id = Math.max(...after.map(run => run.id))
            const { status } = await it.when(id, run => ['finished', 'lost'].includes(run.status))
            const ran = it
              .read('.qanat/log')
              .split('\n')
              .filter(line => line === String(id)).length
            expect([at, status, ran]).toEqual([at, isBroken ? status : 'finished', status === 'finished' ? 3 : 0])
          }
          if (!isBroken) return expect(at).toBeGreaterThan(4)
        }
        expect.unreachable()
      },
    )
  })
})

async function runs(it: ContextProject): Promise<{ id: number }[]> {
  return (await it.json<{ runs: { id: number }[] }>('runs', '--json')).runs
}
