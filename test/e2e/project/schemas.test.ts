import { cpSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Folder, projectWith } from '../project.js'
import { openTerminal } from '../terminal.js'

/** What an editor has to say of a file by the schema that its first line refers to, and which that is. */
function judged(folder: Folder, path: string): { schema: string; complaints: unknown } {
  const text = folder.read(path)
  const reference = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? 'no reference'
  const schema = join(folder.path, dirname(path), reference)
  const ajv = new Ajv({ strict: false })
  for (const name of folder.list(relative(folder.path, dirname(schema)))) {
    ajv.addSchema(JSON.parse(readFileSync(join(dirname(schema), name), 'utf8')), name)
  }
  const name = relative(dirname(schema), schema)
  ajv.validate(name, parse(text))
  return { schema: relative(folder.path, schema), complaints: ajv.errors }
}

describe('an editor finds the schema', () => {
  test('of the settings of a new project and of a clone, which are valid', async () => {
    const folder = await projectWith('')
    const clone = new Folder()
    clone.git('clone', '--quiet', folder.path, '.')
    await clone.qanat('init')
    for (const project of [folder, clone]) {
      expect(judged(project, '.qanat/config.yaml')).toEqual({ schema: '.qanat/schemas/config.json', complaints: null })
    }
  })

  test('of the settings when config edit starts it', async () => {
    const folder = await projectWith('', 'sh', { VISUAL: 'sh ./editor.sh' })
    folder.write('editor.sh', 'head -n 1 "$1" >line.txt && cp "$(dirname "$1")/schemas/config.json" found.json\n')
    expect(await openTerminal(folder, 'config', 'edit').ended).toBe(0)
    expect(folder.read('line.txt')).toBe('# yaml-language-server: $schema=schemas/config.json\n')
    expect(folder.read('found.json')).toBe(folder.read('.qanat/schemas/config.json'))
  })

  test('of the files of the Iris example, which are valid, as is a definition that Qanat writes', async () => {
    const folder = new Folder()
    cpSync('examples/iris', folder.path, { recursive: true })
    await folder.qanat('init', '--yes')
    const registered = ['dataset new dataset.yaml', 'experiment new experiment.yaml', 'experiment new knn.yaml']
    folder.write('.git/mine.yaml', 'name: mine\npath: data\n')
    for (const line of ['dataset new .git/mine.yaml', ...registered, 'document new report.yaml'])
      await folder.qanat(...line.split(' '))
    for (const [path, name] of [
      ['dataset.yaml', 'dataset'],
      ['experiment.yaml', 'experiment'],
      ['knn.yaml', 'experiment'],
      ['report.yaml', 'document'],
      ['bins.yaml', 'parameters'],
      ['.qanat/definitions/dataset/mine.yaml', 'dataset'],
    ] as const) {
      const expected = { schema: `.qanat/schemas/${name}.json`, complaints: null }
      expect([path, judged(folder, path)]).toEqual([path, expected])
    }
  })
})
