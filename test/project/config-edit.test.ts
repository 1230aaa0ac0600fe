import { chmodSync, lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** A project with that configuration, what is in its file, and what the tests do to it. */
function project(text = TEXT) {
  const root = folderWith({ '.qanat/config.yaml': text })
  const configured = { root, runners: runnerNames }
  return {
    file: join(root, '.qanat/config.yaml'),
    text: () => readFileSync(join(root, '.qanat/config.yaml'), 'utf8'),
    load: () => loadConfig(configured).config,
    get: (key: string) => getConfigValue(configured, key),
    set: (key: string, value: string) => setConfigValue(configured, key, value),
    unset: (key: string) => unsetConfigValue(configured, key),
  }
}

describe('getConfigValue', () => {
  it.each([
    ['logging', 'INFO'],
    ['poll_interval', 30],
    ['default_editor', null],
    ['slurm.default.--account', '007'],
    ['slurm.default.env', { A: 'True', B: '1.50' }],
    ['local', {}],
  ])('%s is %j', (key, value) => {
    expect(project().get(key)).toEqual(value)
  })

  it.each([
    ['loging', "no setting 'loging'. Did you mean logging?"],
    ['slurm.defualt', "no setting 'slurm.defualt'. Did you mean default?"],
    ['slurm.default.--nodes', "no setting 'slurm.default.--nodes'"],
    ['logging.level', "no setting 'logging.level'"],
    ['constructor', "no setting 'constructor'"],
    ['slurm..x', "'slurm..x' is not a key"],
    ['', "'' is not a key"],
  ])('refuses %j', (key, message) => {
    expect(() => project().get(key)).toThrow(UserError)
    expect(() => project().get(key)).toThrow(message)
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
    ['below an empty key', 'slurm.empty.resources.cpus', '4', ['empty:\n', 'empty:\n    resources:\n      cpus: 4\n']],
    ['a new setting', 'poll_interval', '60', ['INFO # last\n', 'INFO # last\npoll_interval: 60\n']],
  ])('sets %s and changes nothing else', (_, key, value, [before, after]) => {
    const { set, text } = project()
    set(key, value)
    expect(text().replace('\n\n# the end', '\n# the end')).toBe(TEXT.replace(before!, after!))
  })

  it.each([
    ['slurm: {default: {--time: 60}}\r\nlogging: INFO\r\n', 'slurm: {default: {--time: 60}}\r\nlogging: DEBUG\r\n'],
    ['logging: LOUD\n', 'logging: DEBUG\n'],
  ])('keeps the ends of lines, writes brackets as they were, and can repair what is not valid: %j', (before, after) => {
    const { set, text } = project(before)
    set('logging', 'DEBUG')
    expect(text()).toBe(after)
  })

  it('keeps the comments of a section that contained nothing else', () => {
    const { set, text, load } = project()
    set('htcondor.default.request_cpus', '2')
    expect(text()).toContain('  # gpu:\n  #   request_gpus: 1\n  default:\n    request_cpus: 2\n')
    expect(load().templates().htcondor).toEqual({ default: { request_cpus: 2 } })
  })

  it.each(['', '# only a remark\n', 'null\n'])('starts from %j', before => {
    const { set, text } = project(before)
    set('local.two_cpus.max_parallel', '2')
    expect(text()).toBe(`${before.startsWith('#') ? `${before}\n` : ''}local:\n  two_cpus:\n    max_parallel: 2\n`)
  })

  it.each([
    ['logging', 'LOUD', 'logging: expected one of DEBUG, INFO, WARNING, ERROR'],
    ['slurm.default.resources.cpus', 'many', "expected a whole number above 0, not 'many'"],
    ['loging', 'DEBUG', 'loging: unknown key. Did you mean logging?'],
    ['logging.level', 'DEBUG', "'logging' is not a mapping"],
    ['logging', "'x", 'value of logging:1:'],
    ['logging', 'a: b: c', 'value of logging:1:4: '],
    ['slurm.', 'x', "'slurm.' is not a key"],
    ['slurm.x.y', '1', 'expected a mapping of settings', '- a\n'],
    ['slurm.x.y', '1', "'slurm' is not a mapping", 'slurm: [a]\n'],
    ['htcondor.x.y', '1', "'htcondor' is not a mapping", 'slurm: &s {}\nhtcondor: *s\n'],
  ])('refuses %s = %j and writes nothing: %s', (key, value, message, before = TEXT) => {
    const { file, set, text } = project(before)
    expect(() => set(key, value)).toThrow(UserError)
    expect(() => set(key, value)).toThrow(message)
    expect(text()).toBe(before)
    expect(readdirSync(dirname(file))).toEqual(['config.yaml'])
  })

  it('keeps the mode of the file, and a link in its place', () => {
    const { file, set } = project()
    const elsewhere = join(folderWith(), 'shared.yaml')
    renameSync(file, elsewhere)
    chmodSync(elsewhere, 0o664)
    symlinkSync(elsewhere, file)
    set('logging', 'DEBUG')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o664)
    expect(readFileSync(elsewhere, 'utf8')).toContain('logging: DEBUG')
  })
})

describe('unsetConfigValue', () => {
  it.each([
    ['slurm.default.--time', TEXT, TEXT.replace('    --time: 1-00:00:00\n', '')],
    ['xyz', 'xyz: 1\nlogging: INFO\n', 'logging: INFO\n'],
  ])('removes %s, even if it is unknown, and keeps all others', (key, before, after) => {
    const { unset, text } = project(before)
    unset(key)
    expect(text()).toBe(after)
  })

  it('leaves a valid file when the last key is removed', () => {
    const { unset, load } = project('logging: DEBUG\n')
    unset('logging')
    expect(load().logging).toBe('INFO')
  })

  it.each(['poll_interval', 'slurm.default.--nodes', 'logging.level', 'nowhere.at.all'])('refuses %s, not set', key => {
    const { unset, text } = project()
    expect(() => unset(key)).toThrow(`no setting '${key}'`)
    expect(text()).toBe(TEXT)
  })
})
