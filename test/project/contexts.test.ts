import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { findContext, readContexts } from '../../src/project/contexts/contexts.js'
import { addPersonal, copyPersonal, deletePersonal } from '../../src/project/contexts/edit.js'
import { readMrunner } from '../../src/project/contexts/import.js'
import { projectAt } from '../../src/project/find-project.js'
import { runnerNames } from '../../src/runners/index.js'
import { folderWith } from './temporary.js'

let home: string
beforeEach(() => {
  home = folderWith()
  vi.stubEnv('XDG_CONFIG_HOME', home)
  vi.stubEnv('XDG_STATE_HOME', join(home, 'state'))
  return () => vi.unstubAllEnvs()
})

const file = () => join(home, 'qanat/contexts.yaml')
const project = (config = '') => projectAt(folderWith({ '.qanat/config.yaml': config }), runnerNames)
const given = { host: 'hpc', root: '$SCRATCH/qanat', runner: 'slurm' }
const cluster = { cluster: { namespace: 'iris' }, volume: { claim: 'scratch' } }

test('a context is added to the lines of a file, and taken away, as its owner keeps it', () => {
  const text = '# mine\nlab:   {host: lab, root: /data}   # the old one\n'
  writeFileSync(join(home, 'dotfile'), text)
  chmodSync(join(home, 'dotfile'), 0o640)
  mkdirSync(join(home, 'qanat'))
  symlinkSync('../dotfile', file())
  expect(addPersonal(project(), 'hpc', given)).toMatchObject({ name: 'hpc', runner: 'slurm', pollInterval: 120 })
  expect(readFileSync(file(), 'utf8')).toBe(`${text}hpc:\n  host: hpc\n  root: $SCRATCH/qanat\n  runner: slurm\n`)
  deletePersonal(project(), 'hpc')
  expect([readFileSync(file(), 'utf8'), lstatSync(file()).isSymbolicLink(), statSync(file()).mode & 0o777]).toEqual([
    text,
    true,
    0o640,
  ])
})

test.each([
  ['hpc', { ...given, root: 'relative' }, 'hpc.root: expected an absolute path'],
  ['hpc', { ...given, host: '-oProxyCommand=x' }, 'hpc.host: expected an alias'],
  ['hpc', { ...given, runner: 'slrum' }, "hpc.runner: no runner 'slrum': the runners are local, slurm, htcondor"],
  ['here', given, "'here' is this machine"],
  ['hpc', { ...given, fetch: { max_file: 'much' } }, 'hpc.fetch.max_file: expected a size such as 10M or 2G'],
  ['hpc', { ...given, fetch: { only: 'x' } }, 'The keys are include, exclude, max_file'],
  ['a b', given, "'a b' cannot be the name of a context"],
  ['gke', { ...cluster, volume: { claim: 'A b' } }, 'gke.volume.claim: expected a name of small letters'],
  ['gke', { ...cluster, volume: { claim: 'a', path: 'scratch' } }, 'gke.volume.path: expected an absolute path'],
  ['gke', { ...cluster, results: 'logs' }, 'gke.results: expected volume, node or log'],
  ['gke', { ...cluster, results: 'log' }, 'gke.volume: with results: log there is no claim'],
  ['gke', { cluster: {} }, 'gke: volume is missing'],
  ['gke', { ...cluster, runner: 'local' }, 'gke.runner: expected kubernetes'],
  ['gke', { ...cluster, host: 'hpc' }, 'gke.host: unknown key'],
  ['gke', { ...cluster, prepare: 'make' }, 'gke.prepare: it is for machines, and what pods need is in their image'],
])('%s with %j is refused, and no file is made', (name, keys, message) => {
  expect(() => addPersonal(project(), name, keys)).toThrow(message)
  expect(() => statSync(file())).toThrow('ENOENT')
})

test('a context may be a namespace of a cluster', () => {
  expect(addPersonal(project(), 'gke', cluster)).toMatchObject({
    ...{ name: 'gke', runner: 'kubernetes', root: '/qanat', user: 1000, courier: 'busybox:1.36', prepare: [] },
    cluster: { context: null, namespace: 'iris' },
    volume: { claim: 'scratch', path: '/qanat', size: null, class: null },
  })
})

test('a namespace may have no claim: then a folder of this machine is its root', () => {
  expect(addPersonal(project(), 'gke', { cluster: {}, results: 'log' })).toMatchObject({
    root: join(home, 'state/qanat/pods/gke'),
    volume: null,
  })
})

test('keys of a person come before those of the project, and templates of both are there', () => {
  const config = 'contexts:\n  hpc: {host: a, root: /a, slurm: {default: {resources: {cpus: 1}}, two: {}}}\n'
  mkdirSync(join(home, 'qanat'))
  writeFileSync(file(), 'hpc: {root: /mine, slurm: {default: {resources: {cpus: 8}}}}\n')
  expect(findContext(project(config), 'hpc')).toMatchObject({
    ...{ host: 'a', root: '/mine', runner: 'local' },
    templates: { slurm: { default: { resources: { cpus: 8 } }, two: {} } },
  })
  expect(() => findContext(project(config), 'hcp')).toThrow("no context 'hcp'. Did you mean hpc?")
})

test('a mistake is shown with its place, in whichever file it is, and hides no other context', () => {
  const config = 'contexts:\n  hpc:\n    host: a\n    root: /a\n    rot: /b\n  lab: {host: lab, root: /lab}\n'
  mkdirSync(join(home, 'qanat'))
  writeFileSync(file(), 'hpc: {root: /mine}\nodd: 3\na b: {host: b, root: /b}\n')
  const { usable, broken } = readContexts(project(config))
  expect([...usable.keys()]).toEqual(['lab'])
  expect(Object.fromEntries(Array.from(broken, ([name, { message }]) => [name, message]))).toEqual({
    hpc: expect.stringContaining('.qanat/config.yaml:5:5: contexts.hpc.rot: unknown key. Did you mean root?'),
    odd: `${file()}:2:6: odd: expected a mapping of keys to values`,
    'a b': `${file()}:3:1: a b: 'a b' cannot be the name of a context`,
  })
  expect(() => findContext(project(config), 'hpc')).toThrow('contexts.hpc.rot: unknown key')
  deletePersonal(project(config), 'odd')
  expect(readFileSync(file(), 'utf8')).not.toContain('odd')
})

test('a copy has what all files say of a context', () => {
  const config =
    'contexts:\n  hpc: {host: a, root: /a, poll_interval: 60, slurm: {default: {-t: 0:10, -n: "007", --exclusive: true}}}\n'
  mkdirSync(join(home, 'qanat'))
  writeFileSync(file(), 'hpc: {root: /mine}\n')
  expect(copyPersonal(project(config), 'hpc', 'own')).toMatchObject({ host: 'a', root: '/mine', file: file() })
  expect(findContext(project(), 'own')).toMatchObject({
    pollInterval: 60,
    templates: { slurm: { default: { '-t': '0:10', '-n': '007', '--exclusive': true } } },
  })
  expect(() => copyPersonal(project(config), 'hpc', 'own')).toThrow("there is a context 'own' already")
})

test('contexts of both generations of mrunner become contexts, and what has no counterpart is named', () => {
  const text = `contexts:
  plgrid_cpu:
    account: lsrl
    backend_type: slurm
    cmd_type: srun
    context_name: plgrid_cpu
    modules_to_load: [plgrid/tools/python/3.6.5]
    after_module_load_cmd: export A=1
    neptune: true
    partition: plgrid
    resources: {cpu: 9, mem: 5GB, tpu: 1}
    ntasks: 4
    slurm_url: pro.cyfronet.pl
    storage_dir: /net/archive/ada
    user_id: plgada
    venv: /net/people/ada/env
  later:
    slurm_url: ada@athena
    storage_dir: /net/storage
    scratch_dir: /net/scratch
    resources: cpu=8 gpu=2 mem=64G
    time: 2-00:00:00
    qos: long
    nodes: 1
    exclude_nodes: [n1, n2]
    sbatch_options: [--constraint=a100, -C b, --exclusive]
    prolog_cmd: [ulimit -n 4096, hostname]
    conda: rl
    singularity_container: /images/rl.sif
  gke.sandbox:
    backend_type: kubernetes
    registry_url: https://gcr.io
    storage: /data
    default_pvc_size: 40Gi
    resources: {cpu: 4, mem: 8GB, gpu: 1, tpu: 2}
    google_project_id: x
  bare: {backend_type: kubernetes}
  pbs: {backend_type: pbs}
  odd: {slurm_url: hpc}
current_context: plgrid_cpu
`
  const from = join(folderWith({ 'mrunner.yaml': text }), 'mrunner.yaml')
  const { imported, refused } = readMrunner(from, 'My Project')
  expect(refused).toEqual([
    'pbs was left out: it is for pbs, which no context can have yet',
    'odd was left out: it has neither storage_dir nor scratch_dir',
  ])
  expect(imported.flatMap(({ notes }) => notes)).toEqual([
    'plgrid_cpu: cmd_type was left out',
    'plgrid_cpu: neptune was left out',
    'plgrid_cpu: 9 CPUs of 4 tasks became 2 for each',
    'plgrid_cpu: resources.tpu was left out',
    'later: give the container at a launch: --container /images/rl.sif',
    "gke.sandbox: its image is built from python:3.12 and requirements.txt: correct 'build' in its template if that is not so",
    'gke.sandbox: google_project_id was left out',
    'bare: mrunner made an image: name one in its template, as in image: registry.example.org/my-project:1',
  ])
  for (const { name, keys } of imported) addPersonal(project(), name, keys)
  expect(findContext(project(), 'gke.sandbox')).toMatchObject({
    cluster: { context: null, namespace: 'my-project' },
    ...{ runner: 'kubernetes', volume: { claim: 'my-project', path: '/data', size: '40Gi' } },
    templates: {
      kubernetes: {
        default: {
          build: { base: 'python:3.12', requirements: 'requirements.txt', repository: 'gcr.io/my-project' },
          resources: { cpus: 4, memory: '8G', gpus: 1, extended: { 'google.com/tpu': 2 } },
          env: { STORAGE_DIR: '/data' },
        },
      },
    },
  })
  expect(findContext(project(), 'bare')).toMatchObject({
    volume: { claim: 'my-project', path: '/storage', size: null },
  })
  expect(findContext(project(), 'plgrid_cpu')).toMatchObject({
    ...{ host: 'plgada@pro.cyfronet.pl', root: '/net/archive/ada', runner: 'slurm' },
    templates: {
      slurm: {
        default: {
          resources: { cpus: 2, memory: '5G', tasks: 4, partition: 'plgrid', account: 'lsrl' },
          ...{ modules: ['plgrid/tools/python/3.6.5'], after_modules: 'export A=1', venv: '/net/people/ada/env' },
        },
      },
    },
  })
  expect(findContext(project(), 'later')).toMatchObject({
    ...{ host: 'ada@athena', root: '/net/scratch' },
    templates: {
      slurm: {
        default: {
          resources: { cpus: 8, gpus: 2, memory: '64G', time: '2-00:00:00', qos: 'long', nodes: 1 },
          ...{ '--exclude': 'n1,n2', '--constraint': 'a100', '-C': 'b', '--exclusive': true, conda: 'rl' },
          setup: 'ulimit -n 4096\nhostname',
        },
      },
    },
  })
})
