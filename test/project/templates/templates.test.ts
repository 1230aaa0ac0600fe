import { describe, expect, it } from 'vitest'
import { UserError } from '../../../src/errors.js'
import { checkConfigText } from '../../../src/project/config.js'
import { templateKeys } from '../../../src/project/templates/template-schema.js'
import { parseJobEnvironment, resolveTemplate, templateAsWritten } from '../../../src/project/templates/templates.js'
import { runnerNames } from '../../../src/runners/index.js'
import { fileWith } from '../temporary.js'

const CONFIG = `
local:
  plain: {}
slurm:
  default: {--ntasks: 1, --exclusive: true, resources: {cpus: 1, time: 1-00:00:00}, env: {A: 1, B: 2}, modules: [gcc]}
  big:
    extends: default
    --exclusive: null
    resources: {cpus: 8, memory: 64G}
    env: {B: null, C: 007}
    modules: [gcc, cuda/12]
  huge: {extends: big, resources: {memory: 256G, time: null}}
  one: {extends: two}
  two: {extends: three}
  three: {extends: one}
  self: {extends: self}
  lost: {extends: bigg}
  off: {--exclusive: false, --mem: null, env: {A: null}}
  prototype: {--mem: 1}
  constructor: {extends: prototype, --time: 2}
`
const EMPTY = {
  ...{
    resources: {},
    modules: [],
    afterModules: '',
    conda: '',
    venv: '',
    env: {},
    secrets: {},
    setup: '',
    teardown: '',
  },
  ...{
    arguments: [],
    background: [],
    nice: null,
    launcher: [],
    scratch: false,
    shell: [],
    maxParallel: null,
    pack: null,
  },
}

function resolve(runner: string, nameOrFile?: string) {
  return resolveTemplate(checkConfigText(CONFIG, 'config.yaml', runnerNames).config, runner, nameOrFile)
}

function parse(template: Record<string, unknown>) {
  return parseJobEnvironment({ name: 'big', template })
}

describe('resolveTemplate', () => {
  it('uses the default template, or an empty one if there is none', () => {
    expect(resolve('slurm')).toMatchObject({ name: 'default', template: { '--ntasks': 1, '--exclusive': true } })
    expect(resolve('local')).toEqual({ name: 'default', template: {}, file: null })
    expect(resolve('kubernetes')).toEqual({ name: 'default', template: {}, file: null })
  })

  it('merges mappings, replaces the rest and lets null remove, over every extends', () => {
    expect(resolve('slurm', 'big').template).toEqual({
      '--ntasks': 1,
      resources: { cpus: 8, time: '1-00:00:00', memory: '64G' },
      env: { A: '1', C: '007' },
      modules: ['gcc', 'cuda/12'],
    })
    expect(resolve('slurm', 'huge').template).toMatchObject({ resources: { cpus: 8, memory: '256G' } })
    expect(resolve('slurm', 'huge').template.resources).not.toHaveProperty('time')
    expect(resolve('slurm', 'off').template).toEqual({ '--exclusive': false, env: {} })
  })

  it.each([
    ['one', "'one' extends itself: one → two → three → one"],
    ['self', "'self' extends itself: self → self"],
  ])('refuses the circle of %s', (name, message) => {
    expect(() => resolve('slurm', name)).toThrow(UserError)
    expect(() => resolve('slurm', name)).toThrow(message)
  })

  it.each([
    ['bigg', "no slurm template 'bigg', and no file of that name. Did you mean big?"],
    ['package.json/big', "no slurm template 'package.json/big', and no file of that name"],
    ['test/project', "no slurm template 'test/project', and no file of that name"],
    ['toString', "no slurm template 'toString', and no file of that name"],
    ['lost', "lost extends 'bigg', but no slurm template has this name. Did you mean big?"],
  ])('lists the templates that there are for %s', (name, message) => {
    const hint = expect.stringContaining('the slurm templates are default, big, huge, one')
    expect(() => resolve('slurm', name)).toThrow(expect.objectContaining({ message, hint }))
  })

  it('knows only templates, not the properties that JavaScript adds', () => {
    expect(resolve('slurm', 'constructor').template).toEqual({ '--mem': 1, '--time': 2 })
    const config = (name: string) => checkConfigText(`slurm: {${name}: {--x: 1}}`, 'config.yaml', runnerNames).config
    expect(() => config('__proto__').templates()).toThrow("config.yaml:1:9: slurm.__proto__: '__proto__' cannot be")
  })

  it('reads a file, which may extend a template of the config', () => {
    const file = fileWith('extends: big\nresources: {cpus: 16}\n--account: 012\n', 'mine.yaml')
    const { name, template } = resolve('slurm', file)
    expect(name).toBe(file)
    expect(template).toMatchObject({ '--ntasks': 1, '--account': '012', resources: { cpus: 16, memory: '64G' } })
    expect(resolve('slurm', fileWith('', 'empty.yaml')).template).toEqual({})
  })

  it.each([
    ['resources: {cpus: 0}\n', ':1:19: resources.cpus: expected a whole number above 0, not 0'],
    ['- a\n', ':1:1: expected a mapping'],
    ["setup: 'x\n", ':2:1: '],
    ['extends: bigg\n', "extends 'bigg', but no slurm template has this name. Did you mean big?"],
  ])('refuses the file %j', (text, message) => {
    const file = fileWith(text)
    expect(() => resolve('slurm', file)).toThrow(message.startsWith(':') ? file + message : message)
  })
})

describe('parseJobEnvironment', () => {
  it('has an empty environment for an empty template, and secrets without commands for a list of them', () => {
    expect(parse({})).toEqual({ environment: EMPTY, rest: {} })
    expect(parse({ secrets: ['KEY'] }).environment).toEqual({ ...EMPTY, secrets: { KEY: null } })
  })

  it("reads every key of ours and keeps the scheduler's own keys unchanged", () => {
    const ours = {
      resources: { cpus: 2, gpus: 'v100:2', memory: '4GB', disk: 500, time: 90, nodes: 2, tasks: 4, tasks_per_node: 2 },
      ...{ modules: ['cuda/12', 2023], after_modules: 'module list\n', conda: null, venv: '.venv' },
      ...{ env: { OMP_NUM_THREADS: 4, DEBUG: true, EMPTY: '' }, secrets: { TOKEN: { command: ['pass', 7] }, KEY: {} } },
      ...{ setup: 'ulimit -n 4096\n', teardown: 'echo done\n', arguments: ['--to', '$QANAT_SCRATCH', 7] },
      ...{ background: ['nvidia-smi -l 60'], nice: 10, launcher: "srun --mpi=pmix --comment='a b'", scratch: true },
      ...{ shell: '/bin/bash --login', max_parallel: 20, pack: 32 },
    }
    expect(Object.keys(ours).sort()).toEqual(Object.keys(templateKeys).sort())
    const { environment, rest } = parse({ ...ours, '--exclusive': true, '+Attr': 'x', '-p': null })
    expect(rest).toEqual({ '--exclusive': true, '+Attr': 'x', '-p': null })
    expect(environment).toEqual({
      resources: {
        ...{ cpus: 2, gpus: 'v100:2', memory: '4G', disk: '500M', time: '90' },
        ...{ nodes: 2, tasks: 4, tasksPerNode: 2 },
      },
      ...{ modules: ['cuda/12', '2023'], afterModules: 'module list\n', conda: '', venv: '.venv' },
      ...{ env: { OMP_NUM_THREADS: '4', DEBUG: 'true', EMPTY: '' }, secrets: { TOKEN: ['pass', '7'], KEY: null } },
      ...{ setup: 'ulimit -n 4096\n', teardown: 'echo done\n', arguments: ['--to', '$QANAT_SCRATCH', '7'] },
      ...{
        background: ['nvidia-smi -l 60'],
        nice: 10,
        launcher: ['srun', '--mpi=pmix', '--comment=a b'],
        scratch: true,
      },
      ...{ shell: ['/bin/bash', '--login'], maxParallel: 20, pack: { groups: 32, slots: 1 } },
    })
  })

  it.each([
    [{ memory: '512 MiB' }, { memory: '512M' }],
    [{ memory: '2t' }, { memory: '2T' }],
    [{ gpus: 0 }, { gpus: 0 }],
    [
      { gpus: 0.5, gpu_devices: '0,2' },
      { gpus: 0.5, gpuDevices: '0,2' },
    ],
    [{ time: '2-00:00:00' }, { time: '2-00:00:00' }],
    [{ account: 1234 }, { account: '1234' }],
    [{ cpus: null }, {}],
  ])('reads the resources %j', (resources, expected) => {
    expect(parse({ resources }).environment.resources).toEqual(expected)
  })

  const secretName = 'expected a name of letters (A-Z or a-z), digits and _, neither PATH nor QANAT_…'
  it.each([
    [{ resources: { cpus: 1.5 } }, 'resources.cpus: expected a whole number above 0, not 1.5'],
    [
      { resources: { gpus: 'v100' } },
      'resources.gpus: expected a number, a part of one such as 0.5, or a type and a number such as v100:2',
    ],
    [{ resources: { memory: 'lots' } }, "resources.memory: expected a size such as 4G or 512M, not 'lots'"],
    [{ resources: { time: '2h' } }, 'resources.time: expected a time limit such as 90 (minutes), 01:30:00'],
    [{ resources: { cpu: 1 } }, 'resources.cpu: unknown key. Did you mean cpus? The keys are cpus, gpus, gpu_devices'],
    [{ modules: 'cuda' }, "modules: expected a list of modules, not 'cuda'"],
    [{ conda: 'a', venv: 'b' }, 'it has both conda and venv'],
    [{ env: { '1A': 'x' } }, 'env.1A: expected a name of letters (A-Z or a-z), digits and _, not beginning with a'],
    [{ env: { A: 'x', constructor: 'x' } }, 'env.constructor: expected a name other than __proto__, prototype, con'],
    [{ env: { A: ['x'] } }, 'env.A: expected text, not a list'],
    [{ env: ['A=x'] }, 'env: expected a mapping of keys to values, not a list'],
    [{ secrets: ['KEY'], env: { KEY: 'x' } }, 'KEY is in both env and secrets'],
    [{ secrets: ['KEY', 1] }, `secrets[1]: ${secretName}, not 1`],
    [{ secrets: ['KEY', 'PATH'] }, `secrets[1]: ${secretName}, not 'PATH'`],
    [{ secrets: { KEY: { comand: ['pass'] } } }, 'secrets.KEY.comand: unknown key. Did you mean command?'],
    [{ secrets: 3 }, 'secrets: expected a list of names, or a mapping'],
    [{ setup: ['a'] }, 'setup: expected text (shell lines), not a list'],
    [{ arguments: '--to x' }, "arguments: expected a list of words, not '--to x'"],
    [{ background: 'a' }, "background: expected a list of commands, not 'a'"],
    [{ launcher: "srun 'x" }, 'launcher: expected words whose quotes are closed'],
    [{ nice: 20 }, 'nice: expected a whole number from 1 to 19, not 20'],
    [{ launcher: ['srun'] }, 'launcher: expected words as for a shell, not a list'],
    [{ scratch: 'yes' }, "scratch: expected true or false, not 'yes'"],
    [{ max_parallel: 0 }, 'max_parallel: expected a whole number above 0, not 0'],
    [{ pack: 0 }, 'pack: expected a whole number above 0, or a mapping such as {groups: 32, slots: 4}, not 0'],
    [{ pack: -3 }, 'pack: expected a whole number above 0, or a mapping'],
    [{ pack: { slots: 4 } }, 'pack.groups: missing'],
    [{ pack: { groups: 32, slots: 0 } }, 'pack.slots: expected a whole number above 0, not 0'],
    [{ pack: { groups: 32, slot: 4 } }, 'pack.slot: unknown key. Did you mean slots? The keys are groups, slots'],
    [{ pack: { groups: 4, slots: 8 } }, 'pack has 8 slots for 4 groups of a job'],
  ])('refuses %j, naming template, key and what is allowed', (template, message) => {
    expect(() => parse(template)).toThrow(UserError)
    expect(() => parse(template)).toThrow(`submit template big: ${message}`)
  })
})

const build = { dockerfile: 'Dockerfile', repository: 'r.org/lab/it' }

it.each([
  [
    { build, image: 'r.org/lab/it:0123', queue: 'a' },
    { build, queue: 'a' },
  ],
  [{ build }, { build }],
  [{ image: 'python:3.12' }, { image: 'python:3.12' }],
  [{ '--mem': 1 }, { '--mem': 1 }],
])('%j was written as %j', (recorded, written) => {
  expect(templateAsWritten(recorded)).toEqual(written)
})
