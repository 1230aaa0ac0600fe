import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { UserError } from '../../src/errors.js'
import { checkConfigText, loadConfig } from '../../src/project/config.js'
import { runnerNames } from '../../src/runners/index.js'
import { folderWith } from './temporary.js'

const DEFAULTS = {
  ...{ defaultEditor: null, resultDir: 'results', logging: 'INFO', pollInterval: 30, grace: 270, confirmAbove: 1000 },
  ...{
    emoji: true,
    snapshot: 'auto',
    link: [],
    own: [],
    prepare: [],
    prepareInputs: [],
    context: null,
    contexts: {},
    environment: { ignore: [] },
    templates: { local: {}, slurm: {}, htcondor: {}, kubernetes: {} },
  },
}

/** The configuration in a project with this file, with all that is read of it later. */
function load(text: string, runners = runnerNames) {
  const { config, warnings } = loadConfig({ root: folderWith({ '.qanat/config.yaml': text }), runners })
  return { config: { ...config, templates: config.templates() }, warnings }
}

describe('loadConfig', () => {
  it.each(['', '# nothing here\n', '{}', 'slurm:\nlocal: {}\n'])('takes the defaults for %j', text => {
    expect(load(text)).toEqual({ config: DEFAULTS, warnings: [] })
  })

  it('reads every setting', () => {
    const text = `{default_editor: code --wait, result_dir: ./out/runs/, logging: DEBUG, poll_interval: 0.5, grace: 60,
      confirm_above: 0, emoji: false, snapshot: never, link: [b/c/, d//e], own: [v], prepare: make,
      environment: {ignore: black}, local: {default: , two: {max_parallel: 2}}}`
    expect(load(text).config).toEqual({
      ...{ defaultEditor: 'code --wait', resultDir: './out/runs/', logging: 'DEBUG', pollInterval: 0.5, grace: 60 },
      ...{
        confirmAbove: 0,
        emoji: false,
        snapshot: 'never',
        link: ['b/c', 'd/e'],
        own: ['v'],
        prepare: ['make'],
        prepareInputs: [],
        context: null,
        contexts: {},
        environment: { ignore: ['black'] },
      },
      templates: { local: { default: {}, two: { max_parallel: 2 } }, slurm: {}, htcondor: {}, kubernetes: {} },
    })
  })

  it('loads the file of the older program in silence', () => {
    const older = readFileSync('test/fixtures/older-project/dot-qanat/config.yaml', 'utf8')
    const { config, warnings } = load(`${older}nohtcondorwarning: true\n`)
    expect(warnings).toEqual([])
    expect(config.defaultEditor).toBe('vim')
    expect(config.templates.slurm?.default).toMatchObject({ '--cpus-per-task': 1, '--time': '1-00:00:00' })
    const condor = { '+WishedAcctGroup': 'group_usmb.listic', getenv: 'true' }
    expect(config.templates.htcondor?.default).toMatchObject(condor)
  })

  it('warns of an unknown key with the nearest known one', () => {
    const { config, warnings } = load('logging: DEBUG\npoll_intervall: 5\nxyz: 1\n')
    expect(config.pollInterval).toBe(30)
    expect(warnings).toEqual([
      expect.stringContaining('.qanat/config.yaml:2:1: poll_intervall: unknown key. Did you mean poll_interval?'),
      expect.stringContaining('.qanat/config.yaml:3:1: xyz: unknown key. The keys are default_editor, result_dir'),
    ])
  })

  it.each([
    ['default_editor: [vim]', ':1:17: default_editor: expected the command of an editor, or null, not a list'],
    ['logging: LOUD', ":1:10: logging: expected one of DEBUG, INFO, WARNING, ERROR, CRITICAL, not 'LOUD'"],
    ['logging:', ':1:9: logging: missing, expected one of DEBUG'],
    ['emoji: maybe', ":1:8: emoji: expected true or false, not 'maybe'"],
    ['confirm_above: 0.5', ':1:16: confirm_above: expected a whole number, 0 or above, not 0.5'],
    ['poll_interval: -3', ':1:16: poll_interval: expected a number of seconds above 0, not -3'],
    ['poll_interval: .inf', ':1:16: poll_interval: expected a number of seconds above 0, not Infinity'],
    ['result_dir: a/..', ':1:13: result_dir: expected a folder'],
    ["result_dir: ''", ':1:13: result_dir: expected'],
    ['own: target', ':1:6: own: expected a list of paths'],
    ['link: [/data]', ':1:8: link[0]: expected a path inside the project'],
    ['own: [../x]', ':1:7: own[0]: expected a path inside the project'],
    ['slurm: [a]', ':1:8: slurm: expected a mapping of keys to values, not a list'],
    ['slurm:\n  default: 5', ':2:12: slurm.default: expected a mapping of keys to values, not 5'],
    ['slurm:\n  a b: {}', ":2:3: slurm.a b: 'a b' cannot be the name of a template"],
    ['slurm:\n  gpu:\n    resources: {cpu: 2}', ':3:17: slurm.gpu.resources.cpu: unknown key. Did you mean cpus?'],
    ['local:\n  default:\n    scratch: maybe', ":3:14: local.default.scratch: expected true or false, not 'maybe'"],
    ['- a', ':1:1: expected a mapping of keys to values, not a list'],
    ["logging: 'INFO", ':1:15: '],
  ])('refuses %j with its position and the allowed values', (text, message) => {
    expect(() => load(text)).toThrow(UserError)
    expect(() => load(text)).toThrow(`.qanat/config.yaml${message}`)
    expect(() => load(text)).toThrow(expect.objectContaining({ hint: expect.any(String) }))
  })

  it('refuses a template only where templates are used', () => {
    const root = folderWith({ '.qanat/config.yaml': 'poll_interval: 7\nslurm: {gpu: {resources: {cpu: 2}}}\n' })
    const { config } = loadConfig({ root, runners: runnerNames })
    expect(config.pollInterval).toBe(7)
    expect(() => config.templates()).toThrow('.qanat/config.yaml:2:27: slurm.gpu.resources.cpu: unknown key')
  })

  it('accepts a result folder that is a link out of the project', () => {
    const root = folderWith({ '.qanat/config.yaml': 'result_dir: results\n' })
    symlinkSync(folderWith(), join(root, 'results'))
    expect(loadConfig({ root, runners: runnerNames }).config.resultDir).toBe('results')
  })

  it('keeps the text of numbers and variables in templates as written', () => {
    const text = 'slurm:\n  default:\n    --account: 007\n    --nodes: 2\n    env: {A: True, B: 1.50}\n'
    const kept = { '--account': '007', '--nodes': 2, env: { A: 'True', B: '1.50' } }
    expect(load(text).config.templates.slurm?.default).toEqual(kept)
  })

  it('reads the templates of the registered runners', () => {
    const { config, warnings } = load('moon: {default: {--x: 1}}\nslurm: {default: {}}\n', ['local', 'moon'])
    expect(config.templates).toEqual({ local: {}, moon: { default: { '--x': 1 } } })
    const unknown =
      /:2:1: slurm: unknown key\. The keys are .*, prepare_inputs, environment, context, contexts, local, moon$/
    expect(warnings).toEqual([expect.stringMatching(unknown)])
  })

  it('says how to make a project if there is no file', () => {
    const root = folderWith()
    const refusal = {
      message: `there is no .qanat/config.yaml in ${root}`,
      hint: expect.stringContaining('qanat init'),
    }
    expect(() => loadConfig({ root, runners: runnerNames })).toThrow(expect.objectContaining(refusal))
  })
})

test('a text that is checked before it is saved is named as it is given', () => {
  expect(() => checkConfigText('logging: LOUD', 'edited.yaml', runnerNames)).toThrow(/^edited\.yaml:1:10: logging/)
  expect(checkConfigText('logging: ERROR', 'edited.yaml', runnerNames).config.logging).toBe('ERROR')
})
