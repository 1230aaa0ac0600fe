import { describe, expect, it } from 'vitest'
import type { JobEnvironment, Resources } from '../../../src/domain/job-environment.js'
import { UserError } from '../../../src/errors.js'
import { htcondorDialect } from '../../../src/runners/htcondor/options.js'
import { plainEnvironment } from '../plans.js'

function commands(keys: Record<string, unknown>, environment: Partial<JobEnvironment> = {}) {
  return htcondorDialect.parse(keys, { ...plainEnvironment, ...environment }).commands
}

describe('submit commands', () => {
  it.each([
    [
      { request_cpus: 2, Rank: 'Mips' },
      { request_cpus: '2', Rank: 'Mips' },
    ],
    [
      { '+WishedAcctGroup': '"a"', 'MY.Other': 1 },
      { '+WishedAcctGroup': '"a"', 'MY.Other': '1' },
    ],
    [
      { hold: true, getenv: false, rank: null },
      { hold: 'true', getenv: 'false' },
    ],
    [
      { getenv: ['HOME', 'LANG'], transfer_input_files: ['a', 7] },
      { getenv: 'HOME, LANG', transfer_input_files: 'a, 7' },
    ],
    [{ requirements: '(Arch == "X86_64") && $(x)' }, { requirements: '(Arch == "X86_64") && $(x)' }],
  ])('that %j makes', (keys, expected) => {
    expect(commands(keys)).toEqual(expected)
  })

  it.each<[Resources, Record<string, string>]>([
    [
      { cpus: 2, memory: '4G', disk: '500M' },
      { request_cpus: '2', request_memory: '4G', request_disk: '500M' },
    ],
    [{ gpus: 2 }, { request_gpus: '2' }],
    [{ gpus: 0 }, {}],
    [{ gpus: 'v100:2' }, { request_gpus: '2', require_gpus: 'regexp("v100", DeviceName, "i")' }],
    [
      { account: '1234', constraint: 'HasAVX' },
      { accounting_group: '1234', requirements: 'HasAVX' },
    ],
    [{ nodes: 1, tasks: 1, tasksPerNode: 1 }, {}],
    [
      { time: '01:30:00' },
      {
        '+QanatTimeLimit': '5400',
        periodic_remove: '(JobStatus == 2) && (time() - EnteredCurrentStatus > QanatTimeLimit)',
      },
    ],
  ])('that the resources %j make', (resources, expected) => {
    expect(commands({}, { resources })).toEqual(expected)
  })

  it.each<[Resources, string]>([
    [{ nodes: 2 }, 'resources.nodes'],
    [{ tasks: 2 }, 'resources.tasks'],
    [{ tasksPerNode: 2 }, 'resources.tasks_per_node'],
    [{ partition: 'gpu' }, 'resources.partition'],
    [{ qos: 'low' }, 'resources.qos'],
  ])('are refused for the resources %j', (resources, named) => {
    expect(() => commands({}, { resources })).toThrow(UserError)
    expect(() => commands({}, { resources })).toThrow(`has ${named}, which HTCondor does not have`)
  })

  it.each<[Record<string, unknown>, Resources, string]>([
    [{ rank: 1, Rank: 2 }, {}, 'rank'],
    [{ Request_CPUs: 2 }, { cpus: 2 }, 'request_cpus and resources.cpus'],
    [{ require_gpus: 'x' }, { gpus: 1 }, 'require_gpus and resources.gpus'],
    [{ periodic_remove: 'x' }, { time: '1' }, 'periodic_remove and resources.time'],
    [{ allowed_job_duration: 60 }, { time: '1' }, 'allowed_job_duration and resources.time'],
    [{ Requirements: 'x' }, { constraint: 'y' }, 'requirements and resources.constraint'],
  ])('are refused if they repeat resources: %j and %j', (keys, resources, named) => {
    expect(() => commands(keys, { resources })).toThrow(UserError)
    expect(() => commands(keys, { resources })).toThrow(`sets the same thing twice: ${named}`)
  })

  it.each([
    ['Executable', 'the script of the job'],
    ['arguments', 'which group a job is of'],
    ['queue', 'one job for each group'],
    ['LOG', 'it reads the event log'],
    ['batch_name', 'the name of the experiment and the id of the run'],
    ['+QanatToken', 'what the run is found by'],
    ['max_materialize', 'for at most N groups at a time use max_parallel: N'],
    ['input', 'groups have no standard input'],
  ])('that Qanat sets itself are refused, with the reason: %s', (key, reason) => {
    expect(() => commands({ [key]: 'x' })).toThrow(UserError)
    expect(() => commands({ [key]: 'x' })).toThrow(`sets ${key.toLowerCase()}, which Qanat sets itself: ${reason}`)
  })

  it.each(['--mem', 'queue 5', '', '1a', 'a=b', '++a', 'a\nqueue'])('are no such words: %j', key => {
    expect(() => commands({ [key]: 'x' })).toThrow(UserError)
    expect(() => commands({ [key]: 'x' })).toThrow(`has '${key}', which is not a submit command`)
  })

  it.each(['a\nqueue 9', 'a\rb', ['a', 'b\n']])('are one line each: %j', value => {
    expect(() => commands({ rank: value })).toThrow(UserError)
    expect(() => commands({ rank: value })).toThrow('has several lines for rank')
  })

  it('have no mapping for a value', () => {
    expect(() => commands({ rank: { a: 1 } })).toThrow('the value of rank in the submit template is not text')
  })
})
