import { expect, test } from 'vitest'
import {
  longestTime,
  mayTakeNodes,
  stepRemarks,
  takesNodes,
  teardownRemarks,
} from '../../../src/runners/slurm/remarks.js'
import { plainEnvironment } from '../plans.js'

test.each([
  [true, 'DefMemPerNode = UNLIMITED', 'CR_CORE_MEMORY', '--ntasks=1'],
  [true, 'DefMemPerNode = 0', 'CR_CORE_MEMORY', ''],
  [false, 'DefMemPerNode = 2000', 'CR_CORE_MEMORY', ''],
  [false, 'DefMemPerCPU = 500', 'CR_CPU_MEMORY', ''],
  [false, 'DefMemPerNode = UNLIMITED', 'CR_CORE', ''],
  [false, 'DefMemPerNode = UNLIMITED', 'CR_CORE_MEMORY', '--mem=4G'],
  [false, 'DefMemPerNode = UNLIMITED', 'CR_CORE_MEMORY', '--mem-per-cpu 4G'],
  [false, 'DefMemPerNode = UNLIMITED', 'CR_CORE_MEMORY', '--exclusive'],
])(
  'a job may take a whole node: %j where %s, %s is counted, and it asks for "%s"',
  (expected, memory, counted, words) => {
    const config = `${memory}\nSelectTypeParameters    = ${counted}\n`
    expect(mayTakeNodes(config, words.split(' '), {})).toBe(expected)
  },
)

const partitions = `PartitionName=main AllowGroups=ALL Default=YES MaxTime=UNLIMITED DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED
PartitionName=small AllowGroups=ALL Default=NO DefMemPerCPU=1024 MaxTime=2-00:00:00 MaxMemPerNode=UNLIMITED
PartitionName=gpu Default=NO MaxTime=04:00:00 JobDefaults=DefMemPerGPU=4096 DefMemPerNode=UNLIMITED
`

test.each([
  [[], true],
  [['main'], true],
  [['small'], false],
  [['gpu'], false],
  [['main', 'small'], false],
  [['nowhere'], false],
])('a job without memory takes a whole node in the partitions %j: %s', (named, expected) => {
  expect(takesNodes(partitions, named)).toBe(expected)
})

test('a teardown may be killed only if Slurm waits for a moment and the template has one', () => {
  const environment = { ...plainEnvironment, teardown: 'sync', background: ['monitor'] }
  const said = /kills a job 2 s after .* the background tasks and the teardown of the submit template may not/
  expect(teardownRemarks('KillWait = 2 sec\n', environment)).toEqual([expect.stringMatching(said)])
  for (const config of ['KillWait = 30 sec\n', '']) expect(teardownRemarks(config, environment)).toEqual([])
  expect(teardownRemarks('KillWait = 2 sec\n', plainEnvironment)).toEqual([])
})

test.each([
  [[], null],
  [['small'], 172_800],
  [['main', 'gpu'], 14_400],
  [['small', 'gpu'], 14_400],
  [['nowhere'], null],
])('the longest job of the partitions %j takes %j seconds', (named, seconds) => {
  expect(longestTime(partitions, named)).toBe(seconds)
})

test('a launcher that starts a step for each group of a job is told', () => {
  const pack = { groups: 4, slots: 2 }
  const said = [expect.stringContaining('each of its groups is a step of the job')]
  for (const launcher of [['srun'], ['/usr/bin/srun', '--mpi=pmix']])
    expect(stepRemarks({ pack, launcher })).toEqual(said)
  for (const launcher of [[], ['mpirun']]) expect(stepRemarks({ pack, launcher })).toEqual([])
  expect(stepRemarks({ pack: null, launcher: ['srun'] })).toEqual([])
})
