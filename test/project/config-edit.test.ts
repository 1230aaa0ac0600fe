import { chmodSync, lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../src/errors.js'
import { loadConfig } from '../../src/project/config.js'
import { getConfigValue, setConfigValue, unsetConfigValue } from '../../src/project/config-edit.js'
import { runnerNames } from '../../src/runners/index.js'
import { folderWith } from './temporary.js'

const TEXT = `# The settings

# who edits
default_editor: null # none yet
result_dir: results
slurm:
  default:
    --account: 007 # as the site wrote it
    --time: 1-00:00:00
    # a remark
    env: { A: True, B: 1.50 }
  empty:
htcondor:
  # gpu:
  #   request_gpus: 1
logging: INFO # last
# the end
`

function project(text = TEXT): string {
  return folderWith({ '.qanat/config.yaml': text })
}

function textOf(root: string): string {
  return readFileSync(join(root, '.qanat/config.yaml'), 'utf8')
}

const at = (root: string) => ({ root, runners: runnerNames })

describe('getConfigValue', () => {
  it.each([
    ['logging', 'INFO'],
    ['poll_interval', 30],
    ['default_editor', null],
    ['slurm.default.--account', '007'],
    ['slurm.default.env', { A: 'True', B: '1.50' }],
    ['local', {}],
  ])('%s is %j', (key, value) => {
    expect(getConfigValue(at(project()), key)).toEqual(value)
  })

  it.each([
    ['loging', "'loging' is not set. Did you mean logging?"],
    ['slurm.defualt', "'slurm.defualt' is not set. Did you mean default?"],
    ['slurm.default.--nodes', "'slurm.default.--nodes' is not set"],
    ['logging.level', "'logging.level' is not set"],
    ['constructor', "'constructor' is not set"],
    ['slurm..x', "'slurm..x' is not a key"],
    ['', "'' is not a key"],
  ])('refuses %j', (key, message) => {
    const root = project()
    expect(() => getConfigValue(at(root), key)).toThrow(UserError)
    expect(() => getConfigValue(at(root), key)).toThrow(message)
  })
})

describe('setConfigValue', () => {
  it.each([
    ['a value', 'logging', 'DEBUG', ['logging: INFO #', 'logging: DEBUG #']],
    ['over a null', 'default_editor', 'code --wait', ['default_editor: null #', 'default_editor: code --wait #']],
    ['a key with dashes', 'slurm.default.--time', '02:00:00', ['--time: 1-00:00:00', '--time: 02:00:00']],
    ['text in quotes', 'slurm.default.--account', "'12'", ['--account: 007', "--account: '12'"]],
    ['a mapping', 'slurm.default.env', '{C: 3}', ['env: { A: True, B: 1.50 }', 'env: { C: 3 }']],
    ['a new key', 'slurm.default.-p', 'gpu', ['B: 1.50 }\n', 'B: 1.50 }\n    -p: gpu\n']],
    [
      'below an empty key',
      'slurm.empty.resources.cpus',
      '4',
      ['  empty:\n', '  empty:\n    resources:\n      cpus: 4\n'],
    ],
    ['a new setting', 'poll_interval', '60', ['INFO # last\n', 'INFO # last\npoll_interval: 60\n']],
  ])('sets %s and changes nothing else', (_, key, value, [before, after]) => {
    const root = project()
    setConfigValue(at(root), key, value)
    expect(textOf(root).replace('\n\n# the end', '\n# the end')).toBe(TEXT.replace(before!, after!))
  })

  it('keeps the ends of lines and writes brackets as they were', () => {
    const root = project('slurm: {default: {--time: 60}}\r\nlogging: INFO\r\n')
    setConfigValue(at(root), 'logging', 'DEBUG')
    expect(textOf(root)).toBe('slurm: {default: {--time: 60}}\r\nlogging: DEBUG\r\n')
  })

  it('keeps the comments of a section that contained nothing else', () => {
    const root = project()
    setConfigValue(at(root), 'htcondor.default.request_cpus', '2')
    expect(textOf(root)).toContain('  # gpu:\n  #   request_gpus: 1\n  default:\n    request_cpus: 2\n')
    expect(loadConfig(at(root)).config.templates().htcondor).toEqual({ default: { request_cpus: 2 } })
  })

  it.each(['', '# only a remark\n', 'null\n'])('starts from %j', text => {
    const root = project(text)
    setConfigValue(at(root), 'local.two_cpus.max_parallel', '2')
    expect(textOf(root)).toBe(`${text.startsWith('#') ? `${text}\n` : ''}local:\n  two_cpus:\n    max_parallel: 2\n`)
  })

  it('can repair a file that is not valid', () => {
    const root = project('logging: LOUD\n')
    setConfigValue(at(root), 'logging', 'INFO')
    expect(textOf(root)).toBe('logging: INFO\n')
  })

  it.each([
    ['logging', 'LOUD', 'logging: expected one of DEBUG, INFO, WARNING, ERROR'],
    ['logging', '', 'logging: missing, expected one of'],
    ['poll_interval', '-1', 'expected a number of seconds above 0, not -1'],
    ['result_dir', '.qanat', 'result_dir: expected a folder: inside the project'],
    ['slurm.default', '5', 'slurm.default: expected a mapping'],
    ['slurm.default.resources.cpus', 'many', "expected a whole number above 0, not 'many'"],
    ['slurm.a b', '{}', 'cannot be the name of a template'],
    ['loging', 'DEBUG', 'loging: unknown key. Did you mean logging?'],
    ['logging.level', 'DEBUG', "'logging' is not a mapping"],
    ['logging', "'x", 'value of logging:1:'],
    ['logging', 'a: b: c', 'value of logging:1:4: '],
    ['slurm.', 'x', "'slurm.' is not a key"],
  ])('refuses %s = %j and writes nothing', (key, value, message) => {
    const root = project()
    expect(() => setConfigValue(at(root), key, value)).toThrow(UserError)
    expect(() => setConfigValue(at(root), key, value)).toThrow(message)
    expect(textOf(root)).toBe(TEXT)
    expect(readdirSync(join(root, '.qanat'))).toEqual(['config.yaml'])
  })

  it.each([
    ['- a\n', 'slurm.x.y', 'expected a mapping of settings'],
    ['slurm: [a]\n', 'slurm.x.y', "'slurm' is not a mapping"],
    ['slurm: &s {}\nhtcondor: *s\n', 'htcondor.x.y', "'htcondor' is not a mapping"],
  ])('refuses to write into %j', (text, key, message) => {
    const root = project(text)
    expect(() => setConfigValue(at(root), key, '1')).toThrow(UserError)
    expect(() => setConfigValue(at(root), key, '1')).toThrow(message)
    expect(textOf(root)).toBe(text)
  })

  it('keeps the mode of the file, and a link in its place', () => {
    const root = project()
    const elsewhere = join(folderWith(), 'shared.yaml')
    const file = join(root, '.qanat/config.yaml')
    renameSync(file, elsewhere)
    chmodSync(elsewhere, 0o664)
    symlinkSync(elsewhere, file)
    setConfigValue(at(root), 'logging', 'DEBUG')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o664)
    expect(readFileSync(elsewhere, 'utf8')).toContain('logging: DEBUG')
  })
})

describe('unsetConfigValue', () => {
  it('removes a key and keeps all others', () => {
    const root = project()
    unsetConfigValue(at(root), 'slurm.default.--time')
    expect(textOf(root)).toBe(TEXT.replace('    --time: 1-00:00:00\n', ''))
  })

  it('removes an unknown key', () => {
    const root = project('xyz: 1\nlogging: INFO\n')
    unsetConfigValue(at(root), 'xyz')
    expect(textOf(root)).toBe('logging: INFO\n')
  })

  it('leaves a valid file when the last key is removed', () => {
    const root = project('logging: DEBUG\n')
    unsetConfigValue(at(root), 'logging')
    expect(loadConfig(at(root)).config.logging).toBe('INFO')
  })

  it.each(['poll_interval', 'slurm.default.--nodes', 'logging.level', 'nowhere.at.all'])('refuses %s, not set', key => {
    const root = project()
    expect(() => unsetConfigValue(at(root), key)).toThrow(`'${key}' is not set`)
    expect(textOf(root)).toBe(TEXT)
  })
})
