import { describe, expect, it } from 'vitest'
import type { JobEnvironment } from '../../../src/domain/job-environment.js'
import { UserError } from '../../../src/errors.js'
import { slurmDialect } from '../../../src/runners/slurm/options.js'
import { plainEnvironment } from '../plans.js'

function options(keys: Record<string, unknown>, environment: Partial<JobEnvironment> = {}) {
  return slurmDialect.parse(keys, { ...plainEnvironment, ...environment })
}

function words(keys: Record<string, unknown>, environment?: Partial<JobEnvironment>) {
  return options(keys, environment).words
}

describe('options of sbatch', () => {
  it.each([
    [{ '--exclusive': true }, ['--exclusive']],
    [{ '--exclusive': false, '--mem': null }, []],
    [{ '--mem': '4G', '--nice': 100 }, ['--mem=4G', '--nice=100']],
    [{ '-p': 'gpu', '-H': true }, ['-p', 'gpu', '-H']],
    [{ '--exclude': ['n1', 'n2'] }, ['--exclude=n1', '--exclude=n2']],
    [{ '-x': ['n1', null, 'n2'] }, ['-x', 'n1', '-x', 'n2']],
    [{ '--constraint': "a b'&c" }, ["--constraint=a b'&c"]],
    [{ '--nice': 0 }, ['--nice=0']],
  ])('that %j makes', (keys, expected) => {
    expect(words(keys)).toEqual(expected)
  })

  it('from resources come before those of the template', () => {
    const resources = {
      ...{ cpus: 2, gpus: 'v100:2', memory: '4G', disk: '500M', time: '1-00:00:00', nodes: 3, tasks: 6 },
      ...{ tasksPerNode: 2, partition: 'gpu', account: '1234', qos: 'low', constraint: 'a100' },
    }
    expect(words({ '--mail-type': 'END' }, { resources })).toEqual([
      '--cpus-per-task=2',
      '--gres=gpu:v100:2',
      '--mem=4G',
      '--tmp=500M',
      '--time=1-00:00:00',
      '--nodes=3',
      '--ntasks=6',
      '--ntasks-per-node=2',
      '--partition=gpu',
      '--account=1234',
      '--qos=low',
      '--constraint=a100',
      '--mail-type=END',
    ])
  })

  it.each([
    [1, ['--gres=gpu:1']],
    [0, []],
  ])('ask for %i GPUs', (gpus, expected) => {
    expect(words({}, { resources: { gpus } })).toEqual(expected)
  })

  it.each([
    [{ '-p': 'a', '--partition': 'b' }, '-p and --partition'],
    [{ '--time': '1', '-t': '2' }, '--time and -t'],
  ])('are refused if they are given twice: %j', (keys, both) => {
    expect(() => options(keys)).toThrow(UserError)
    expect(() => options(keys)).toThrow(`the submit template sets the same thing twice: ${both}`)
  })

  it.each([
    [{ '-p': 'a' }, { partition: 'b' }, '--partition and resources.partition'],
    [{ '--mem-per-cpu': '1G' }, { memory: '1G' }, '--mem-per-cpu and resources.memory'],
    [{ '-G': 1 }, { gpus: 1 }, '--gpus and resources.gpus'],
    [{ '-c': 1 }, { cpus: 2 }, '--cpus-per-task and resources.cpus'],
    [{ '--ntasks-per-node': 1 }, { tasksPerNode: 2 }, '--ntasks-per-node and resources.tasks_per_node'],
  ])('are refused if they repeat resources: %j and %j', (keys, resources, both) => {
    expect(() => options(keys, { resources })).toThrow(UserError)
    expect(() => options(keys, { resources })).toThrow(`the submit template sets the same thing twice: ${both}`)
  })

  it('may be combined with resources for other things', () => {
    expect(words({ '-p': 'a' }, { resources: { cpus: 2 } })).toEqual(['--cpus-per-task=2', '-p', 'a'])
  })

  it.each([
    ['--array', '--array', 'one task for each group; for at most N at a time use max_parallel: N'],
    ['-a', '--array', 'one task for each group'],
    ['-J', '--job-name', 'the name of the experiment and the id of the run'],
    ['--comment', '--comment', 'what the run is found by'],
    ['-W', '--wait', 'use qanat run --wait'],
    ['--wrap', '--wrap', 'the command is that of the experiment'],
    ['--test-only', '--test-only', 'use --dry_run'],
    ['--parsable', '--parsable', 'it reads the job id'],
    ['-i', '--input', 'groups have no standard input'],
  ])('that Qanat sets itself are refused, with the reason: %s', (key, named, reason) => {
    expect(() => options({ [key]: 'x' })).toThrow(UserError)
    expect(() => options({ [key]: 'x' })).toThrow(`sets ${named}, which Qanat sets itself: ${reason}`)
  })

  it.each([
    ['module', 'Did you mean modules?'],
    ['--', "unknown key '--'"],
    ['-mem', "unknown key '-mem'"],
    ['partition', "unknown key 'partition'"],
    ['--a b', "unknown key '--a b'"],
  ])('are refused if they are unknown, with a list of the known keys: %s', (key, message) => {
    const error = { message: expect.stringContaining(message), hint: expect.stringContaining('resources, modules') }
    expect(() => options({ [key]: 'x' })).toThrow(UserError)
    expect(() => options({ [key]: 'x' })).toThrow(expect.objectContaining(error))
  })

  it.each([[{ a: 1 }], [[{ a: 1 }]]])('have no mapping for a value: %j', value => {
    expect(() => options({ '--mem': value })).toThrow('the value of --mem in the submit template is not text')
  })
})

describe('a signal ahead of the time limit', () => {
  const needed: Partial<JobEnvironment>[] = [{ teardown: 'x' }, { background: ['x'] }, { scratch: true }]

  it.each(needed)('is requested with %j', environment => {
    expect(words({}, environment)).toEqual(['--signal=B:URG@60'])
  })

  it.each<Partial<JobEnvironment>>([{}, { setup: 'x' }, { modules: ['x'] }])('is not with %j', environment => {
    expect(words({}, environment)).toEqual([])
  })

  it.each([{ time: '09:59' }, { time: '10' }, { time: '1-00:00:00' }])('is not for a short time: %j', resources => {
    const asked = words({}, { teardown: 'x', resources }).includes('--signal=B:URG@60')
    const written = words({ '--time': resources.time }, { teardown: 'x' }).includes('--signal=B:URG@60')
    expect([asked, written]).toEqual(resources.time === '09:59' ? [false, false] : [true, true])
  })

  it('is the one in the template', () => {
    expect(words({ '--signal': 'B:TERM@300' }, { teardown: 'x' })).toEqual(['--signal=B:TERM@300'])
  })
})

describe("the place of Slurm's own log", () => {
  it.each([
    [{}, null],
    [{ '--output': 'logs/%A_%a.txt' }, 'logs/%A_%a.txt'],
    [{ '-o': 'logs/%j.txt' }, 'logs/%j.txt'],
    [{ '--output': null }, null],
    [{ '-o': false }, null],
  ])('with %j', (keys, output) => {
    expect(options(keys).output).toBe(output)
  })
})
