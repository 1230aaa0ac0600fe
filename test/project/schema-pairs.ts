import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { UserError } from '../../src/errors.js'
import { checkConfigText } from '../../src/project/config.js'
import { readDataset } from '../../src/project/dataset-description.js'
import { readDocument } from '../../src/project/document-description.js'
import { readExperiment } from '../../src/project/experiment-description.js'
import { readParameterFile } from '../../src/project/parameter-file.js'
import { parseJobEnvironment, type ResolvedTemplate, resolveTemplate } from '../../src/project/templates/templates.js'
import { readYaml } from '../../src/project/yaml/yaml-source.js'
import { findRunnerKind, runnerNames } from '../../src/runners/index.js'
import { folderWith } from './temporary.js'

const folder = new URL('../../dist/schemas/', import.meta.url)

/** The schemas of the files that the program reads, by the names of their files without `.json`. */
export const schemas: Readonly<Record<string, any>> = Object.fromEntries(
  readdirSync(folder).map(name => [name.replace('.json', ''), JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
)

const ajv = new Ajv({ strictTypes: false, strictRequired: false, allowUnionTypes: true })
// Those of editors, which JSON Schema does not know.
ajv.addVocabulary(['patternErrorMessage', 'errorMessage', 'doNotSuggest'])
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `${name}.json`)

/** Whether an editor with that schema finds nothing to complain of in what a file holds. */
export function editorAccepts(name: string, value: unknown): boolean {
  return (ajv.getSchema(`${name}.json`) as ValidateFunction)(value)
}

/** The examples of a schema, each with whether it is valid where it stands. */
export function examplesOf(
  name: string,
): { readonly at: string; readonly example: unknown; readonly isValid: boolean }[] {
  const found = (node: unknown, at: string): ReturnType<typeof examplesOf> => {
    if (typeof node !== 'object' || node === null) return []
    const examples = 'examples' in node && Array.isArray(node.examples) ? node.examples : []
    const validate = examples.length > 0 ? ajv.compile({ $ref: `${name}.json#${at}` }) : null
    const here = examples.map(example => ({ at, example, isValid: validate!(example) }))
    const below = Object.entries(node).flatMap(([key, value]) =>
      found(value, `${at}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`),
    )
    return [...here, ...below]
  }
  return found(schemas[name], '')
}

const readers: Readonly<Record<string, (file: string) => void>> = {
  experiment: file => readExperiment(readYaml(file, 'text')),
  dataset: file => readDataset(readYaml(file, 'text')),
  document: file => readDocument(readYaml(file, 'text')),
  parameters: readParameterFile,
  config: file => {
    const { config, warnings } = checkConfigText(readFileSync(file, 'utf8'), file, runnerNames)
    if (warnings.length > 0) throw new UserError(warnings.join('\n'))
    for (const [runner, templates] of Object.entries(config.templates())) {
      for (const name of Object.keys(templates)) prepare(runner, resolveTemplate(config, runner, name))
    }
  },
  template: file => {
    const { config } = checkConfigText('', 'config.yaml', runnerNames)
    const refusals = runnerNames.flatMap(runner =>
      refusal(() => prepare(runner, resolveTemplate(config, runner, file))),
    )
    if (refusals.length === runnerNames.length) throw new UserError(refusals.join('\n'))
  },
}

/** What a launch does with a template. */
function prepare(runner: string, template: ResolvedTemplate): void {
  const { environment, rest } = parseJobEnvironment(template)
  findRunnerKind(runner).template.parse(rest, environment)
}

/** What the program says against a file of that kind; nothing where it takes it. */
export function readerComplaint(name: string, text: string, file = join(folderWith(), 'file.yaml')): string {
  // Some file systems flush a file that is written over to the disk at once, which takes longer than all the rest.
  rmSync(file, { force: true })
  writeFileSync(file, text)
  return refusal(() => readers[name]!(file))[0] ?? ''
}

function refusal(attempt: () => void): string[] {
  try {
    attempt()
    return []
  } catch (error) {
    if (error instanceof UserError) return [error.message]
    throw error
  }
}
