import { expect, test } from 'vitest'
import { FakeSlurm } from '../../e2e/launch/fake-slurm.js'
import { groups, until } from '../../e2e/project.js'
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

test.each<Fault>(['later-claimed', 'submission-begin', 'submission-end', 'handle-known', 'handle-stored'])(
  'at %s, where a later job for what was not reached is submitted, is made good by the next command, once',
  async moment => {
    const slurm = await FakeSlurm.start('  packed: {pack: 4}\n')
    const { folder } = slurm
    // After the second group, the job takes no other one.
    const stops = `touch "$QANAT_PROJECT/results/it/run_1/.run/pool/0/0.0/stop"; ${works}`
    const codes = groups(works, stops, works, works)
    await folder.qanat('run', '--runner', 'slurm', '--submit_template', 'packed', 'it', ...codes)
    await slurm.runJob()
    slurm.queue('COMPLETED')
    await isKilled(folder, [moment], 'experiment', 'status', 'it')
    await until(async () => {
      await folder.qanat('experiment', 'status', 'it')
      return slurm.taken().length > 1
    })
    expect(slurm.wordsOf(78).filter(word => word.startsWith('--array'))).toEqual(['--array=0'])
    await slurm.runJob({ job: 78 })
    slurm.queue('COMPLETED', { job: 78 })
    const runs = await settled(folder)
    expect(runs.map(run => run.status)).toEqual(['finished'])
    expect(slurm.taken()).toHaveLength(2)
    expect(folder.read('.qanat/log').trim().split('\n').sort()).toEqual([0, 1, 2, 3].map(index => `1.${index} works`))
    await leavesNothing(folder)
  },
)
