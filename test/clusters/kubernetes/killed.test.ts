import { describe, expect, test } from 'vitest'
import { begun, image, noCluster, podProject, script, upTo, withDesk } from './project.js'

describe.skipIf(noCluster)('a launch on Kubernetes that is killed', () => {
  const desk = withDesk()
  const make = () => podProject(desk(), script, `kubernetes: {default: {${image}}}\n`)
  const launch = ['run', '--detach', 'it', 'true', '-R', '--seed 0 4 1']

  test.each(['run-files', 'submission-begin'] as const)(
    'at %s has submitted nothing: its groups are lost, and a retry runs them',
    async point => {
      const it = await make()
      expect((await it.killedAt(point, ...launch)).code).toBe(null)
      await it.whenStatus(1, 'lost')
      expect(begun(it)).toEqual([])
      await it.qanat('run_retry', '1', '--wait')
      expect([(await it.show(1)).status, begun(it)]).toEqual(['finished', upTo(4)])
    },
  )

  test.each(['submission-end', 'handle-known', 'handle-stored', 'launch-submitted'] as const)(
    'at %s is found again, and no group runs twice',
    async point => {
      const it = await make()
      expect((await it.killedAt(point, ...launch)).code).toBe(null)
      await it.whenStatus(1, 'finished')
      expect(begun(it)).toEqual(upTo(4))
    },
  )
})
