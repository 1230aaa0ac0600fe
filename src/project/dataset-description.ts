import * as v from 'valibot'
import { settings, usualSetting } from '../domain/data/fingerprint.js'
import type { Dataset, Stage } from '../domain/dataset.js'
import { checkName } from '../domain/text/names.js'
import { UserError } from '../errors.js'
import { fileOfRun, fileText } from './document-files.js'
import { formerNames, tags, toYaml, unique, was } from './yaml/common.js'
import {
  checkYaml,
  completed,
  filledText,
  isMapping,
  key,
  mapping,
  nameText,
  optionalText,
  texts,
} from './yaml/schema.js'
import type { YamlSource } from './yaml/yaml-source.js'

const DATASET_HINT = 'a dataset needs name, and path or from; see: qanat dataset new --help'

const RUN_EXPECTED = 'a run, as in 8, or a group, as in 8.15'

/** What an experiment makes for others. */
const stage = mapping({
  experiment: key('The name of the experiment.', nameText()),
  best: key(
    'A metric: the group with its best value is meant, as the experiment declares what is best. Without it there must be only one group.',
    v.nullish(filledText(), null),
    { examples: ['accuracy'] },
  ),
  run: key(
    'Only groups of this run, or only this group.',
    v.nullish(
      v.pipe(
        v.string(RUN_EXPECTED),
        v.regex(/^\d+(\.\d+)?$/, RUN_EXPECTED),
        v.metadata({ type: ['number', 'string'], minimum: 0 }),
      ),
      null,
    ),
    { examples: ['8.15'] },
  ),
  param: key('Only groups with these parameters.', texts(), { examples: [['--model:svm']] }),
  file: key('A file in the folder of the group, or several. Without it the folder itself is passed.', texts(fileText), {
    examples: ['model.joblib'],
  }),
  each: key(
    'true: the files of all groups that count, in a folder of links with a folder for each group.',
    v.pipe(
      v.nullish(v.picklist(['true', 'false'], 'true or false'), 'false'),
      v.transform(text => text === 'true'),
      v.metadata({ toldAs: v.nullable(v.boolean()) }),
    ),
  ),
})

export const datasetSchema = key(
  'A named path to data, for: qanat dataset new -f',
  mapping({
    name: key('The name by which experiments refer to it.', nameText()),
    description: key('What it is.', optionalText()),
    path: key(
      'A file or a folder, relative to the project, or absolute. It is required unless from is given.',
      v.nullish(filledText()),
      { examples: ['data/iris'] },
    ),
    from: key(
      'The experiment that makes it, instead of a path: each launch looks for the group that is meant then.',
      v.nullish(stage),
    ),
    tags,
    fingerprint: key(
      'How each run records the data. auto: as content up to 64 MB in 1,000 files, otherwise as stat. stat: sizes and times of files. sample: blocks of each file, too. content: a hash of each file. off: nothing.',
      v.nullish(v.picklist(settings, `one of ${settings.join(', ')}`), usualSetting),
    ),
    was,
  }),
  {
    title: 'Dataset',
    // What is null counts as missing.
    oneOf: ['path', 'from'].map(name => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } })),
  },
)

/** Reads the definition of a dataset. @param known see {@link readExperiment} */
export function readDataset(source: YamlSource, known: Dataset | null = null): Dataset {
  const value = completed(
    source,
    known && datasetToYaml(saysPlace(source) ? { ...known, path: null, from: null } : known),
  )
  const given = checkYaml(source, datasetSchema, value, { hint: DATASET_HINT })
  source.at(['name'], () => checkName('dataset', given.name))
  const { was: former, path, from, ...same } = given
  if ((path ?? null) === null && !from) throw source.fail([], 'a dataset needs a path, or from', DATASET_HINT)
  if (path && from) throw source.fail(['path'], 'a dataset has a path or from, and not both', DATASET_HINT)
  if (from) {
    source.at(['from', 'experiment'], () => checkName('experiment', from.experiment))
    for (const [at, file] of from.file.entries())
      source.at(['from', 'file', at], () => checkFile(file, from.file.slice(0, at)))
    if (from.each && from.best !== null)
      throw source.fail(['from', 'best'], 'each: true takes all groups, and leaves no use for best', DATASET_HINT)
  }
  return { ...same, path: path ?? null, ...(from && { from }), ...formerNames(former), tags: unique(given.tags) }
}

/** Whether a file says itself where the data are from, so that what was known of that does not hold. */
function saysPlace(source: YamlSource): boolean {
  const value = source.value()
  return isMapping(value) && ('path' in value || 'from' in value)
}

/** The YAML that readDataset reads as the same dataset. */
export function datasetToYaml(dataset: Omit<Dataset, 'from'> & { readonly from?: Stage | null }): string {
  const { name, was: former, description, path, from, tags, fingerprint } = dataset
  const names = { name, ...(former && { was: former }) }
  const place = from ? { from: stageData(from) } : { path }
  return toYaml({ ...names, description, ...place, tags, ...(fingerprint !== usualSetting && { fingerprint }) })
}

function stageData({ experiment, best, run, param, file, each }: Stage) {
  return {
    experiment,
    ...(best !== null && { best }),
    ...(run !== null && { run }),
    ...(param.length > 0 && { param }),
    ...(file.length > 0 && { file }),
    ...(each && { each }),
  }
}

/** @throws UserError for a path that leads out of a group, and for one that is, lies in, or holds an earlier one */
function checkFile(file: string, earlier: readonly string[]): void {
  const path = `${fileOfRun(file)}/`
  const other = earlier.find(each => {
    const known = `${fileOfRun(each)}/`
    return path.startsWith(known) || known.startsWith(path)
  })
  if (other !== undefined) throw new UserError(`'${file}' and '${other}' hold the same files`, 'name each file once')
}
