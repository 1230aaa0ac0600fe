import fc from 'fast-check'
import { levels } from '../../src/domain/data/fingerprint.js'
import type { Dataset } from '../../src/domain/dataset.js'
import { type Experiment, manifests, passable } from '../../src/domain/experiment.js'
import { anyCharacter } from '../cases.js'

/** Text as users write it, with what SQL, JSON or YAML could stumble over. */
export const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom('', "it's", '"', '?', '%', "'; DROP TABLE runs", 'null', '~', 'true', '007', '1e3'),
  fc.constantFrom(' x', 'x ', 'a: b', '# c', '- d', 'line\nline\n', '\n', '\r\n', '<<'),
)
const filled = anyText.filter(text => text !== '')
const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
export const anyNames = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })

const list = <T>(of: fc.Arbitrary<T>) => fc.uniqueArray(of, { maxLength: 4 })
const pattern = fc.constantFrom('*.md', '/train.py', 'lib/**', 'a b/')
const command = fc.constantFrom('', 'python -u', "sh -c 'a b'", 'conda run -n "x y" python', '~/bin/py\\ thon')
const pathOption = fc.constantFrom(null, '--out', '-o', 'hydra.run.dir=', '--out=')
const action = fc.record(
  { name, description: anyText, executable: filled, executableCommand: command, storageOption: pathOption },
  { requiredKeys: ['name', 'description', 'executable', 'executableCommand'] },
)
const metricSource = fc.oneof(
  fc.record({ file: fc.constantFrom('metrics.json', 'a b/c.csv', '*.tsv'), step: fc.option(filled) }),
  fc.record({ stdout: fc.constantFrom('acc=(?<acc>\\S+)', "it's '(?<a>.)'") }),
)
const results = fc.record({
  metrics: fc.array(metricSource, { maxLength: 3 }),
  best: fc.dictionary(name, fc.constantFrom('max', 'min'), { maxKeys: 3 }),
  outputs: list(name),
})

/** @param datasets those that the experiment can have */
export function anyExperiment(called = name, datasets = list(name)): fc.Arbitrary<Experiment> {
  return fc.record({
    ...{ name: called, description: anyText, path: anyText, executable: filled, executableCommand: command },
    ...{ tags: list(filled), datasets, results, passes: fc.subarray([...passable]) },
    actions: fc.uniqueArray(action, { maxLength: 3, selector: each => each.name }),
    ...{ uses: list(pattern), ignores: fc.option(list(pattern)), manifest: fc.constantFrom(...manifests) },
    ...{ storageOption: pathOption, datasetOption: pathOption },
  })
}

export function anyDataset(called = name): fc.Arbitrary<Dataset> {
  const described = { name: called, description: anyText, tags: list(filled), fingerprint: fc.constantFrom(...levels) }
  const places = { experiment: name, run: fc.option(fc.stringMatching(/^\d+(\.\d+)?$/)), param: list(filled) }
  const files = fc.uniqueArray(fc.constantFrom('model.pt', 'words/a b.txt', '-x'))
  const from = fc.oneof(
    fc.record({ ...places, best: fc.option(filled), file: files, each: fc.constant(false) }),
    fc.record({ ...places, best: fc.constant(null), file: files, each: fc.constant(true) }),
  )
  return fc.oneof(fc.record({ ...described, path: filled }), fc.record({ ...described, path: fc.constant(null), from }))
}
