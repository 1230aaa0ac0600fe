import { expect, test } from 'vitest'
import { FakeSlurm } from '../../e2e/launch/fake-slurm.js'
import { groups } from '../../e2e/project.js'
import { crashes, type Fault, isKilled, leavesNothing, settled, tellsTheTruth } from './crash.js'

const works = 'echo "$QANAT_RUN_ID.$QANAT_GROUP_INDEX works" >>"$QANAT_PROJECT/.qanat/log"'

test.each<[Fault, string]>([
  ['launch-file:4', 'lost'],
  ['submission-begin', 'lost'],
  ['submission-end', 'finished'],
  ['handle-known', 'finished'],
  ['handle-stored', 'finished'],
  ['launch-submitted', 'finished'],
])('at %s, and also the next command once it has found the job, is %s', async (moment, status) => {
  const slurm = await FakeSlurm.start()
  const { folder } = slurm
  // Its queue is always empty, which it says.
  slurm.program('squeue', 'exit 0')
  await folder.qanat('config', 'set', 'grace', '0.45')
  await isKilled(folder, [moment], 'run', '--runner', 'slurm', 'it', ...groups(works, works))
  const isKnown = moment === 'handle-stored' || moment === 'launch-submitted'
  await crashes(folder, [isKnown ? 'refresh-polled' : 'refresh-found'], 'experiment', 'status', 'it')
  if (folder.has('.qanat/slurm_jobs')) for (const task of [0, 1]) await slurm.runJob({ task })
  const runs = await settled(folder)
  expect(runs.map(run => run.status)).toEqual([status])
  tellsTheTruth(folder, runs)
  await leavesNothing(folder)
})
