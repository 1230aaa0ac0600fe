import { describe, expect, test } from 'vitest'
import { mayTakeNodes, takesNodes, teardownRemarks } from '../../../src/runners/slurm/remarks.js'
import { plainEnvironment } from '../plans.js'

describe('a job that requests no memory', () => {
  const config = (memory: string, counted = 'CR_CORE_MEMORY') =>
    `DefMemPerNode           = ${memory}\nSelectTypeParameters    = ${counted}\n`

  test.each([
    ['where there is no default', config('UNLIMITED'), ['--ntasks=1'], true],
    ['where the default is 0', config('0'), [], true],
    ['but not where there is a default', config('2000'), [], false],
    [
      'but not where a default stands for each CPU',
      'DefMemPerCPU = 500\nSelectTypeParameters = CR_CPU_MEMORY\n',
      [],
      false,
    ],
    ['but not where memory is not counted', config('UNLIMITED', 'CR_CORE'), [], false],
    ['but not where it asks for some', config('UNLIMITED'), ['--mem=4G'], false],
    ['but not where it asks for some for each CPU', config('UNLIMITED'), ['--mem-per-cpu', '4G'], false],
    ['but not where it wants the node', config('UNLIMITED'), ['--exclusive'], false],
  ])('may take a whole node %s', (_, text, words, expected) => {
    expect(mayTakeNodes(text, words)).toBe(expected)
  })

  const partitions = `PartitionName=main AllowGroups=ALL Default=YES MaxTime=UNLIMITED DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED
PartitionName=small AllowGroups=ALL Default=NO DefMemPerCPU=1024 MaxMemPerNode=UNLIMITED
PartitionName=gpu Default=NO JobDefaults=DefMemPerGPU=4096 DefMemPerNode=UNLIMITED
`

  test.each([
    [[], true],
    [['main'], true],
    [['small'], false],
    [['gpu'], false],
    [['main', 'small'], false],
    [['nowhere'], false],
  ])('does in the partitions %j: %s', (named, expected) => {
    expect(takesNodes(partitions, named)).toBe(expected)
  })
})

describe('a teardown', () => {
  const environment = { ...plainEnvironment, teardown: 'sync', background: ['monitor'] }

  test('may be killed if Slurm waits only for a moment', () => {
    expect(teardownRemarks('KillWait = 2 sec\n', environment)).toEqual([
      expect.stringMatching(
        /kills a job 2 s after .* the background tasks and the teardown of the submit template may not/,
      ),
    ])
  })

  test.each([
    ['KillWait = 30 sec\n', environment],
    ['', environment],
    ['KillWait = 2 sec\n', plainEnvironment],
  ])('has enough time with %j and %j', (config, given) => {
    expect(teardownRemarks(config, given)).toEqual([])
  })
})
