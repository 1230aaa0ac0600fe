import { describe, expect, test } from 'vitest'
import type { JobEnvironment, Resources } from '../../../src/domain/job-environment.js'
import { UserError } from '../../../src/errors.js'
import { slurmDialect } from '../../../src/runners/slurm/options.js'
import { plainEnvironment } from '../plans.js'

const options = (keys: Record<string, unknown>, environment: Partial<JobEnvironment> = {}) =>
  slurmDialect.parse(keys, { ...plainEnvironment, ...environment })
const words = (...given: Parameters<typeof options>) => options(...given).words

describe('options of sbatch', () => {
  test.each([
    [{ '--exclusive': true }, ['--exclusive']],
    [{ '--exclusive': false, '--mem': null }, []],
    [{ '--mem': '4G', '--nice': 0 }, ['--mem=4G', '--nice=0']],
    [{ '-p': 'gpu', '-H': true }, ['-p', 'gpu', '-H']],
    [{ '--exclude': ['n1', 'n2'] }, ['--exclude=n1', '--exclude=n2']],
    [{ '-x': ['n1', null, 'n2'] }, ['-x', 'n1', '-x', 'n2']],
    [{ '--constraint': "a b'&c" }, ["--constraint=a b'&c"]],
  ])('that %j makes', (keys, expected) => {
    expect(words(keys)).toEqual(expected)
  })

  test('from resources come before those of the template', () => {
    const resources = {
      ...{ cpus: 2, gpus: 'v100:2', memory: '4G', disk: '500M', time: '1-00:00:00', nodes: 3, tasks: 6 },
      ...{ tasksPerNode: 2, partition: 'gpu', account: '1234', qos: 'low', constraint: 'a100' },
    }
    const expected = `--cpus-per-task=2 --gres=gpu:v100:2 --mem=4G --tmp=500M --time=1-00:00:00 --nodes=3 --ntasks=6
      --ntasks-per-node=2 --partition=gpu --account=1234 --qos=low --constraint=a100 --mail-type=END`
    expect(words({ '--mail-type': 'END' }, { resources })).toEqual(expected.split(/\s+/))
    expect([1, 0].map(gpus => words({}, { resources: { gpus } }))).toEqual([['--gres=gpu:1'], []])
  })

  test.each<[string, Resources, string]>([
    ['-p --partition', {}, 'sets the same thing twice: -p and --partition'],
    ['-p', { partition: 'b' }, 'sets the same thing twice: --partition and resources.partition'],
    ['--mem-per-cpu', { memory: '1G' }, 'sets the same thing twice: --mem-per-cpu and resources.memory'],
    ['--ntasks-per-node', { tasksPerNode: 2 }, '--ntasks-per-node and resources.tasks_per_node'],
    ['--array', {}, 'one task for each group; for at most N at a time use max_parallel: N'],
    ['-J', {}, 'sets --job-name, which Qanat sets itself: the name of the experiment and the id of the run'],
    ['--comm', {}, 'sets --comment, which Qanat sets itself: what the run is found by'],
    ['-W', {}, 'sets --wait, which Qanat sets itself: use qanat run --wait'],
    ['--wrap', {}, 'sets --wrap, which Qanat sets itself: the command is that of the experiment'],
  ])('that say what is said elsewhere are refused, with the reason: %s with %j', (keys, resources, message) => {
    const given = Object.fromEntries(keys.split(' ').map(key => [key, 'x']))
    expect(() => options(given, { resources })).toThrow(UserError)
    expect(() => options(given, { resources })).toThrow(message)
  })

  test.each([
    ['module', 'Did you mean modules?'],
    ['--', "unknown key '--'"],
    ['-mem', "unknown key '-mem'"],
    ['partition', "unknown key 'partition'"],
    ['--a b', "unknown key '--a b'"],
  ])('are refused if they are unknown, with a list of the known keys: %s', (key, message) => {
    const error = { message: expect.stringContaining(message), hint: expect.stringContaining('resources, modules') }
    expect(() => options({ [key]: 'x' })).toThrow(expect.objectContaining(error))
  })

  test.each([
    ['--export', 'ALL,DATA=$SCRATCH/x,B=2', 'has $SCRATCH in --export', 'write env: {DATA: $SCRATCH/x} instead'],
    ['-o', '${HOME}/%j.log', 'has ${HOME} in -o, where sbatch expands no variables', 'write what it stands for'],
  ])('that name a variable are refused, since it would stay letters: %s', (key, value, message, hint) => {
    const error = { message: expect.stringContaining(message), hint: expect.stringContaining(hint) }
    expect(() => options({ [key]: value })).toThrow(expect.objectContaining(error))
    expect(options({ [key]: 'A=$5,b$' })).toBeDefined()
  })

  test.each([[{ a: 1 }], [[{ a: 1 }]]])('have no mapping for a value: %j', value => {
    expect(() => options({ '--mem': value })).toThrow('the value of --mem in the submit template is not text')
  })
})

test.each<[string, Partial<JobEnvironment>, Record<string, unknown>]>([
  ['--signal=B:URG@60', { teardown: 'x' }, {}],
  ['--signal=B:URG@60', { background: ['x'] }, {}],
  ['--signal=B:URG@60', { scratch: true }, {}],
  ['--signal=B:URG@60', { teardown: 'x', resources: { time: '10' } }, {}],
  ['', { teardown: 'x', resources: { time: '09:59' } }, {}],
  ['', { teardown: 'x' }, { '--time': '09:59' }],
  ['', { setup: 'x', modules: ['x'] }, {}],
  ['--signal=B:TERM@300', { teardown: 'x' }, { '--signal': 'B:TERM@300' }],
])('the signal ahead of the time limit is "%s" with %j and %j', (signal, environment, keys) => {
  expect(
    words(keys, environment)
      .filter(word => word.startsWith('--signal'))
      .join(),
  ).toBe(signal)
})

test("the place of Slurm's own log is that of the template, or none", () => {
  const given = [{ '--output': 'logs/%A_%a.txt' }, { '-o': 'logs/%j.txt' }, { '-o': false }, {}]
  expect(given.map(keys => options(keys).output)).toEqual(['logs/%A_%a.txt', 'logs/%j.txt', null, null])
})

describe('a template with many groups in a job', () => {
  const pack = { groups: 32, slots: 4 }

  test.each<[string, string]>([
    ['--mem', 'has pack and --mem, which would be that of the whole job'],
    ['--mem-per-cpu', 'has pack and --mem-per-cpu, which'],
    ['-c', 'has pack and --cpus-per-task, which'],
    ['--gres', 'has pack and --gres, which'],
    ['-G', 'has pack and --gpus, which'],
    ['-t', 'has pack and --time, which'],
    ['-n', 'has pack and --ntasks, which'],
    ['-N', 'has pack and --nodes, which'],
  ])('is refused with the own word of sbatch %s', (key, message) => {
    expect(() => options({ [key]: '2' }, { pack })).toThrow(message)
    expect(() => options({ [key]: '2' })).not.toThrow()
  })

  test.each(['nodes', 'tasks', 'tasksPerNode'])('is refused for groups of several %s', name => {
    expect(() => options({}, { pack, resources: { [name]: 2 } })).toThrow('has pack and resources.')
    expect(() => options({}, { pack, resources: { [name]: 1 } })).not.toThrow()
  })

  test('says what a job asks for as other templates do', () => {
    const parsed = options({ '-p': 'gpu' }, { pack, resources: { memory: '1G' }, teardown: 'sync' })
    const asked = ['--cpus-per-task=4', '--mem=4G', '-p', 'gpu', '--signal=B:URG@60']
    expect(parsed.wordsFor({ cpus: 4, memory: '4G' })).toEqual(asked)
  })
})
