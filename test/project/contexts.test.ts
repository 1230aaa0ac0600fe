import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { findContext, readContexts } from '../../src/project/contexts/contexts.js'
import { addPersonal, copyPersonal, deletePersonal } from '../../src/project/contexts/edit.js'
import { projectAt } from '../../src/project/find-project.js'
import { runnerNames } from '../../src/runners/index.js'
import { folderWith } from './temporary.js'

let home: string
beforeEach(() => {
  home = folderWith()
  vi.stubEnv('XDG_CONFIG_HOME', home)
  return () => vi.unstubAllEnvs()
})

const file = () => join(home, 'qanat/contexts.yaml')
const project = (config = '') => projectAt(folderWith({ '.qanat/config.yaml': config }), runnerNames)
const given = { host: 'hpc', root: '$SCRATCH/qanat', runner: 'slurm' }

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
  ['a b', given, "'a b' cannot be the name of a context"],
])('%s with %j is refused, and no file is made', (name, keys, message) => {
  expect(() => addPersonal(project(), name, keys)).toThrow(message)
  expect(() => statSync(file())).toThrow('ENOENT')
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
  const config = 'contexts:\n  hpc: {host: a, root: /a, slurm: {default: {-t: 0:10}}}\n'
  mkdirSync(join(home, 'qanat'))
  writeFileSync(file(), 'hpc: {root: /mine}\n')
  expect(copyPersonal(project(config), 'hpc', 'own')).toMatchObject({ host: 'a', root: '/mine', file: file() })
  expect(findContext(project(), 'own')).toMatchObject({ templates: { slurm: { default: { '-t': '0:10' } } } })
  expect(() => copyPersonal(project(config), 'hpc', 'own')).toThrow("there is a context 'own' already")
})
