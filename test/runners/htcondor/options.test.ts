import { describe, expect, test } from 'vitest'
import type { JobEnvironment, Resources } from '../../../src/domain/job-environment.js'
import { UserError } from '../../../src/errors.js'
import { htcondorDialect } from '../../../src/runners/htcondor/options.js'
import { plainEnvironment } from '../plans.js'

const commands = (keys: Record<string, unknown>, environment: Partial<JobEnvironment> = {}) =>
  htcondorDialect.parse(keys, { ...plainEnvironment, ...environment }).commands

describe('submit commands', () => {
  test('are copied as they are; a list is joined, and null omits one', () => {
    const keys = { request_cpus: 2, Rank: 'Mips', '+WishedAcctGroup': '"a"', 'MY.Other': 1, hold: true, getenv: false }
    const others = { arch: null, transfer_input_files: ['a', 7], requirements: '(Arch == "X86_64") && $(x)' }
    const macros = {
      environment: '"A=$ENV(HOME) B=$(Cluster) C=$$(Cpus) D=$5"',
      require_gpus: 'regexp("a$b", DeviceName)',
    }
    expect(commands(macros)).toEqual(macros)
    expect(commands({ ...keys, ...others })).toEqual({
      ...{ request_cpus: '2', Rank: 'Mips', '+WishedAcctGroup': '"a"', 'MY.Other': '1', hold: 'true', getenv: 'false' },
      ...{ transfer_input_files: 'a, 7', requirements: '(Arch == "X86_64") && $(x)' },
    })
  })

  const limit = '(JobStatus == 2) && (time() - EnteredCurrentStatus > QanatTimeLimit)'
  test.each<[Resources, string]>([
    [{ cpus: 2, memory: '4G', disk: '500M' }, 'request_cpus = 2, request_memory = 4G, request_disk = 500M'],
    [{ gpus: 2 }, 'request_gpus = 2'],
    [{ gpus: 0 }, ''],
    [{ gpus: 'v100:2' }, 'request_gpus = 2, require_gpus = regexp("v100", DeviceName, "i")'],
    [{ account: '1234', constraint: 'HasAVX' }, 'accounting_group = 1234, requirements = HasAVX'],
    [{ nodes: 1, tasks: 1, tasksPerNode: 1 }, ''],
    [{ time: '01:30:00' }, `+QanatTimeLimit = 5400, periodic_remove = ${limit}`],
  ])('that the resources %j make', (resources, expected) => {
    const made = Object.entries(commands({}, { resources })).map(([name, value]) => `${name} = ${value}`)
    expect(made.join(', ')).toBe(expected)
  })

  test.each<readonly [Record<string, unknown>, Resources, string]>([
    [{}, { nodes: 2 }, 'has resources.nodes, which HTCondor does not have'],
    [{}, { tasksPerNode: 2 }, 'has resources.tasks_per_node, which HTCondor does not have'],
    [{}, { partition: 'gpu' }, 'has resources.partition, which HTCondor does not have'],
    [{ rank: 1, Rank: 2 }, {}, 'sets the same thing twice: rank'],
    [{ Request_CPUs: 2 }, { cpus: 2 }, 'sets the same thing twice: request_cpus and resources.cpus'],
    [{ require_gpus: 'x' }, { gpus: 1 }, 'sets the same thing twice: require_gpus and resources.gpus'],
    [{ periodic_remove: 'x' }, { time: '1' }, 'sets the same thing twice: periodic_remove and resources.time'],
    [{ Executable: 'x' }, {}, 'sets executable, which Qanat sets itself: the script of the job'],
    [{ LOG: 'x' }, {}, 'sets log, which Qanat sets itself: it reads the event log'],
    [{ '+QanatToken': 'x' }, {}, 'sets +qanattoken, which Qanat sets itself: what the run is found by'],
    [{ max_materialize: 1 }, {}, 'for at most N groups at a time use max_parallel: N'],
    ...['--mem', 'queue 5', '', '1a', 'a=b', '++a', 'a\nqueue'].map(
      key => [{ [key]: 'x' }, {}, `has '${key}', which is not a submit command`] as const,
    ),
    [{ rank: 'a\nqueue 9' }, {}, 'has several lines for rank'],
    [{ rank: 'a\rb' }, {}, 'has several lines for rank'],
    [{ rank: ['a', 'b\n'] }, {}, 'has several lines for rank'],
    [{ environment: '"A=$HOME/x"' }, {}, 'has $HOME in environment, where HTCondor expands no variables'],
    [{ rank: { a: 1 } }, {}, 'the value of rank in the submit template is not text'],
  ])('%j with the resources %j are refused, with the reason', (keys, resources, reason) => {
    expect(() => commands(keys, { resources })).toThrow(UserError)
    expect(() => commands(keys, { resources })).toThrow(reason)
  })
})
