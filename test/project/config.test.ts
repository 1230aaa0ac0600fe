import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../src/errors.js'
import { type Configured, checkConfigText, loadConfig } from '../../src/project/config.js'
import { runnerNames } from '../../src/runners/index.js'
import { folderWith } from './temporary.js'

const DEFAULTS = {
  defaultEditor: null,
  resultDir: 'results',
  logging: 'INFO',
  pollInterval: 30,
  grace: 270,
  confirmAbove: 1000,
  emoji: true,
  snapshot: 'auto',
  templates: { local: {}, slurm: {}, htcondor: {} },
}
/** As the older program writes it. */
const OLDER = `default_editor: vim
htcondor:
  default:
    +WishedAcctGroup: group_usmb.listic
    getenv: 'true'
    request_cpus: 1
    request_disk: 1GB
    universe: vanilla
logging: INFO
nohtcondorwarning: true
result_dir: results
slurm:
  default:
    --cpus-per-task: 1
    --time: 1-00:00:00
`

function project(config: string): string {
  return folderWith({ '.qanat/config.yaml': config })
}

const at = (root: string) => ({ root, runners: runnerNames })

/** The configuration with all that is read of it later. */
function whole(configured: Configured) {
  const { config, warnings } = loadConfig(configured)
  return { config: { ...config, templates: config.templates() }, warnings }
}

describe('loadConfig', () => {
  it.each(['', '# nothing here\n', '{}', 'slurm:\nlocal: {}\n'])('takes the defaults for %j', text => {
    expect(whole(at(project(text)))).toEqual({ config: DEFAULTS, warnings: [] })
  })

  it('reads every setting', () => {
    const text =
      'default_editor: code --wait\nresult_dir: ./out/runs/\nlogging: DEBUG\npoll_interval: 0.5\ngrace: 60\nconfirm_above: 0\nemoji: false\nsnapshot: never\n' +
      'local:\n  default:\n  two: {max_parallel: 2}\n'
    expect(whole(at(project(text))).config).toEqual({
      defaultEditor: 'code --wait',
      resultDir: './out/runs/',
      logging: 'DEBUG',
      pollInterval: 0.5,
      grace: 60,
      confirmAbove: 0,
      emoji: false,
      snapshot: 'never',
      templates: { local: { default: {}, two: { max_parallel: 2 } }, slurm: {}, htcondor: {} },
    })
  })

  it('loads the file of the older program in silence', () => {
    const { config, warnings } = whole(at(project(OLDER)))
    expect(warnings).toEqual([])
    expect(config.defaultEditor).toBe('vim')
    expect(config.templates.slurm?.default).toEqual({ '--cpus-per-task': 1, '--time': '1-00:00:00' })
    expect(config.templates.htcondor?.default).toMatchObject({
      '+WishedAcctGroup': 'group_usmb.listic',
      getenv: 'true',
    })
  })

  it('loads the file that a new project gets, without a warning', () => {
    const template = readFileSync(new URL('../../.qanat-template/config.yaml', import.meta.url), 'utf8')
    const { config, warnings } = whole(at(project(template)))
    expect(warnings).toEqual([])
    expect({ ...config, templates: DEFAULTS.templates }).toEqual(DEFAULTS)
    for (const runner of ['local', 'slurm', 'htcondor']) {
      expect(Object.keys(config.templates[runner] ?? {})).toEqual(['default', 'two_cpus'])
    }
  })

  it('warns of an unknown key with the nearest known one', () => {
    const { config, warnings } = whole(at(project('logging: DEBUG\npoll_intervall: 5\nxyz: 1\n')))
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
    ['poll_interval: soon', ":1:16: poll_interval: expected a number of seconds above 0, not 'soon'"],
    ['poll_interval: 0', ':1:16: poll_interval: expected a number of seconds above 0, not 0'],
    ['poll_interval: -3', ':1:16: poll_interval: expected a number of seconds above 0, not -3'],
    ['poll_interval: .inf', ':1:16: poll_interval: expected a number of seconds above 0, not Infinity'],
    ['snapshot: sometimes', ":1:11: snapshot: expected one of auto, always, never, not 'sometimes'"],
    ['snapshot: true', ':1:11: snapshot: expected one of auto, always, never, not true'],
    ['slurm: [a]', ':1:8: slurm: expected a mapping of keys to values, not a list'],
    ['slurm:\n  default: 5', ':2:12: slurm.default: expected a mapping of keys to values, not 5'],
    ['slurm:\n  a b: {}', ":2:3: slurm.a b: 'a b' cannot be the name of a template"],
    [
      'slurm:\n  gpu:\n    resources: {cpu: 2}',
      ':3:17: slurm.gpu.resources.cpu: unknown key. Did you mean cpus? The keys are cpus, gpus',
    ],
    ['local:\n  default:\n    scratch: maybe', ":3:14: local.default.scratch: expected true or false, not 'maybe'"],
    ['- a', ':1:1: expected a mapping of keys to values, not a list'],
    ["logging: 'INFO", ':1:15: '],
  ])('refuses %j with its position and the allowed values', (text, message) => {
    const root = project(text)
    const attempt = () => whole(at(root))
    expect(attempt).toThrow(UserError)
    expect(attempt).toThrow(`.qanat/config.yaml${message}`)
    expect(attempt).toThrow(expect.objectContaining({ hint: expect.any(String) }))
  })

  it('refuses a template only where templates are used', () => {
    const { config } = loadConfig(at(project('poll_interval: 7\nslurm: {gpu: {resources: {cpu: 2}}}\n')))
    expect(config.pollInterval).toBe(7)
    expect(() => config.templates()).toThrow('.qanat/config.yaml:2:27: slurm.gpu.resources.cpu: unknown key')
  })

  it.each(['.', './', '..', '../..', 'a/../..', '/', '.git', '.git/x', '.qanat', './.qanat/results', "''", '~me/out'])(
    'refuses %s as result folder',
    folder => {
      const root = project(`result_dir: ${folder}\n`)
      expect(() => whole(at(root))).toThrow(
        /config\.yaml:1:13: result_dir: expected .*(that contains the project|not empty)/,
      )
    },
  )

  it.each(['.results', '..results', 'a/b', '.gitlab', 'résultats'])('takes %s as result folder', folder => {
    expect(whole(at(project(`result_dir: ${folder}\n`))).config.resultDir).toBe(folder)
  })

  it('accepts a result folder that is a link out of the project', () => {
    const root = project('result_dir: results\n')
    symlinkSync(folderWith(), join(root, 'results'))
    expect(whole(at(root)).config.resultDir).toBe('results')
  })

  it('keeps the text of numbers and variables in templates as written', () => {
    const text = 'slurm:\n  default:\n    --account: 007\n    --nodes: 2\n    env: {A: True, B: 1.50}\n'
    expect(whole(at(project(text))).config.templates.slurm?.default).toEqual({
      '--account': '007',
      '--nodes': 2,
      env: { A: 'True', B: '1.50' },
    })
  })

  it('reads the templates of the registered runners', () => {
    const root = project('moon: {default: {--x: 1}}\nslurm: {default: {}}\n')
    const { config, warnings } = whole({ root, runners: ['local', 'moon'] })
    expect(config.templates).toEqual({ local: {}, moon: { default: { '--x': 1 } } })
    expect(warnings).toEqual([
      expect.stringMatching(/:2:1: slurm: unknown key\. The keys are .*, snapshot, local, moon$/),
    ])
  })

  it('says how to make a project if there is no file', () => {
    const root = folderWith()
    const attempt = () => whole(at(root))
    expect(attempt).toThrow(`there is no .qanat/config.yaml in ${root}`)
    expect(attempt).toThrow(expect.objectContaining({ hint: expect.stringContaining('qanat init') }))
  })
})

describe('checkConfigText', () => {
  it('names the file that it was given', () => {
    expect(() => checkConfigText('logging: LOUD', 'edited.yaml', runnerNames)).toThrow(/^edited\.yaml:1:10: logging/)
    expect(checkConfigText('logging: ERROR', 'edited.yaml', runnerNames).config.logging).toBe('ERROR')
  })
})
