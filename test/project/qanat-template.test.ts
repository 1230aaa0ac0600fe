import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { writtenKey } from '../../src/domain/text/key-names.js'
import { checkConfigText, settingsSchema } from '../../src/project/config.js'
import { parseJobEnvironment, resolveTemplate } from '../../src/project/templates/templates.js'
import { runnerNames } from '../../src/runners/index.js'
import { schemas } from './schema-pairs.js'
import { folderWith } from './temporary.js'

const read = (name: string) => readFileSync(new URL(`../../.qanat-template/${name}`, import.meta.url), 'utf8')

const condor = { universe: 'vanilla', getenv: ['PATH', 'HOME', 'LD_LIBRARY_PATH'] }

describe('the files of a new project', () => {
  it('let git track the settings and definitions and nothing else of .qanat', () => {
    const root = folderWith({
      '.qanat/.gitignore': read('gitignore'),
      '.qanat/config.yaml': read('config.yaml'),
      '.qanat/definitions/experiment/x.yaml': '',
      '.qanat/schemas/x.json': '',
      '.qanat/database.db': '',
      '.qanat/cache/abc/config.yaml': '',
      '.qanat/.config.yaml.12.tmp': '',
    })
    execFileSync('git', ['init', '--quiet', root])
    const files = execFileSync('git', ['-C', root, 'ls-files', '--others', '--exclude-standard'], { encoding: 'utf8' })
    const tracked = ['.gitignore', 'config.yaml', 'definitions/experiment/x.yaml']
    expect(files.trim().split('\n').sort()).toEqual(tracked.map(path => `.qanat/${path}`))
  })

  it.each([
    ['local', 'default', {}, {}],
    ['slurm', 'default', { cpus: 1, time: '1-00:00:00' }, { '--ntasks': 1 }],
    ['slurm', 'two_cpus', { cpus: 2, time: '1-00:00:00' }, { '--ntasks': 1 }],
    ['htcondor', 'default', { cpus: 1, memory: '1G', disk: '1G' }, condor],
    ['htcondor', 'two_cpus', { cpus: 2, memory: '1G', disk: '1G' }, condor],
  ])('have for %s a template %s', (runner, name, resources, rest) => {
    const { config } = checkConfigText(read('config.yaml'), 'config.yaml', runnerNames)
    const parsed = parseJobEnvironment(resolveTemplate(config, runner, name))
    expect(parsed.environment.resources).toEqual(resources)
    expect(parsed.rest).toEqual(rest)
  })

  it('name in their comments every key that a template may have', () => {
    const text = read('config.yaml')
    const example = text.match(/^# {3}resources: (\{(?:[^{}]|\{[^}]*\})*\})/m)?.[1]?.replace(/\n# +/g, ' ') ?? ''
    const { config } = checkConfigText(`local: {example: {resources: ${example}}}`, 'config.yaml', runnerNames)
    const { environment } = parseJobEnvironment(resolveTemplate(config, 'local', 'example'))
    const { properties } = schemas.template.definitions.template
    expect(Object.keys(environment.resources).map(writtenKey).sort()).toEqual(
      Object.keys(properties.resources.properties).sort(),
    )
    for (const key of Object.keys(properties)) expect(text).toMatch(new RegExp(`^# .*\\b${key}:`, 'm'))
  })

  it('have every setting, with its default, and no other', () => {
    expect(checkConfigText(read('config.yaml'), 'config.yaml', runnerNames).warnings).toEqual([])
    expect(parse(read('config.yaml'))).toMatchObject(v.parse(settingsSchema, {}))
  })
})
