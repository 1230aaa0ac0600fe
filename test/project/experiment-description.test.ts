import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nothingExpected } from '../../src/domain/results/metrics.js'
import { UserError } from '../../src/errors.js'
import { datasetToYaml, readDataset } from '../../src/project/dataset-description.js'
import { experimentToYaml, readExperiment } from '../../src/project/experiment-description.js'
import { readYaml } from '../../src/project/yaml/yaml-source.js'
import { anyDataset, anyExperiment } from './any-description.js'
import { fileWith, folderWith } from './temporary.js'

const FULL = `{
  name: summary_iris, description: Summary statistics, path: experiments, executable: experiments/summary.py,
  executable_command: python3 -u, datasets: [iris], tags: [First-order, Histograms],
  actions: [
    plot: {name: plot, executable: experiments/plot.py, executable_command: python3, description: Plot it},
    {name: export, executable: export.sh},
    report: {name: , executable: report.sh}],
  metrics: [metrics.json, {file: logs/history.csv, step: epoch}, {stdout: 'acc=(?<acc>\\S+)'}],
  best: {acc: max, loss: min}, outputs: [metrics.json, 'model*.pt'],
  passes: [--json, -V, --json], uses: lib/**, ignores: ['*.md', notebooks, '*.md'], manifest: hash}
`
const OPTIONAL = [
  ...['description', 'path', 'executable_command', 'tags', 'datasets', 'actions', 'metrics', 'best', 'outputs'],
  ...['passes', 'uses', 'ignores', 'manifest'],
]
const PLAIN_ACTION = { description: '', executableCommand: '' }

function expectRefusal(text: string, message: string): void {
  const file = fileWith(text)
  const attempt = () => readExperiment(readYaml(file, 'text'))
  expect(attempt).toThrow(UserError)
  expect(attempt).toThrow(file + message)
  expect(attempt).toThrow(expect.objectContaining({ hint: expect.any(String) }))
}

describe('readExperiment', () => {
  it('reads every key, and actions in both forms', () => {
    const plotted = { executable: 'experiments/plot.py', executableCommand: 'python3' }
    const plot = { name: 'plot', description: 'Plot it', ...plotted }
    const history = { file: 'logs/history.csv', step: 'epoch' }
    expect(readExperiment(readYaml(fileWith(FULL), 'text'))).toEqual({
      ...{ name: 'summary_iris', description: 'Summary statistics', path: 'experiments' },
      ...{ executable: 'experiments/summary.py', executableCommand: 'python3 -u', datasets: ['iris'] },
      tags: ['First-order', 'Histograms'],
      actions: [plot, ...['export', 'report'].map(name => ({ name, executable: `${name}.sh`, ...PLAIN_ACTION }))],
      results: {
        metrics: [{ file: 'metrics.json', step: null }, history, { stdout: 'acc=(?<acc>\\S+)' }],
        ...{ best: { acc: 'max', loss: 'min' }, outputs: ['metrics.json', 'model*.pt'] },
      },
      ...{ passes: ['--json', '-V'], uses: ['lib/**'], ignores: ['*.md', 'notebooks'], manifest: 'hash' },
    })
  })

  it.each([
    ['keys left out', ''],
    ['nulls', `${OPTIONAL.join(':\n')}:\n`],
    ['empty lists', 'tags: []\ndatasets: []\nactions: []\nmetrics: []\nbest: {}\noutputs: []\npasses: []\nuses: []\n'],
  ])('reads %s as empty', (_, rest) => {
    expect(readExperiment(readYaml(fileWith(`name: x\nexecutable: run.sh\n${rest}`), 'text'))).toEqual({
      ...{ name: 'x', description: '', path: '', executable: 'run.sh', executableCommand: '', tags: [], datasets: [] },
      ...{ actions: [], results: nothingExpected, passes: [], uses: [], ignores: null, manifest: 'size' },
    })
  })

  it('takes scalars as written, one tag as a list, and a tag or dataset that is given twice once', () => {
    const read = (text: string) => readExperiment(readYaml(fileWith(text), 'text'))
    const scalars = 'name: 007\nexecutable: true\ndescription: 1.50\ntags: 2024\ndatasets: iris\n'
    const one = { name: '007', executable: 'true', description: '1.50', tags: ['2024'], datasets: ['iris'] }
    expect(read(scalars)).toMatchObject(one)
    const twice = 'name: x\nexecutable: y\ntags: [a, b, a]\ndatasets: [d, d]\n'
    expect(read(twice)).toMatchObject({ tags: ['a', 'b'], datasets: ['d'] })
  })

  it.each([
    ['executable: x', ':1:1: name: missing'],
    ["name: ''\nexecutable: x", ":1:7: name: expected text that is not empty, not ''"],
    ['name: [a]\nexecutable: y', ':1:7: name: expected text, not a list'],
    ['name: a b\nexecutable: y', ":1:7: name: 'a b' cannot be the name of an experiment"],
    ['name: x', ':1:1: executable: missing'],
    ['name: x\nexectuable: y', ':2:1: exectuable: unknown key. Did you mean executable?'],
    ['- name: x', ':1:1: expected a mapping of keys to values, not a list'],
    ['', ':1:1: missing, expected a mapping'],
  ])('refuses %j with its position', expectRefusal)

  const outside = 'expected a path inside'
  it.each([
    ['foo: 1', '1: foo: unknown key. The keys are name, description'],
    ['passes: [--json, --seed]', '18: passes[1]: expected one of -V, --detach, --commit, --allow_dirty, --snapshot'],
    ['manifest: md5', '11: manifest: expected one of size, hash'],
    ['tags: {a: b}', '7: tags: expected a list of texts, not a map'],
    ['tags: [a, [b]]', '11: tags[1]: expected text, not a list'],
    ['datasets: [a, null]', '15: datasets[1]: missing, expected text'],
    ["executable_command: sh -c 'x", '21: executable_command: expected words whose quotes are closed'],
    ['actions: {a: b}', '10: actions: expected a list of actions'],
    ['actions: [plot]', '11: actions[0]: expected a mapping'],
    ['actions: [plot: {description: p}]', '17: actions[0].plot.executable: missing'],
    ['actions: [{name: p, executabel: q}]', '21: actions[0].executabel: unknown key. Did you mean executable?'],
    ['actions: [p/q: {executable: z}]', "16: actions[0].p/q.name: 'p/q' cannot be the name of an action"],
    ['actions: [{name: p, executable: q}, {p: {executable: q}}]', '37: actions[1]: a second action with the name p'],
    ['metrics: metrics.json', '10: metrics: expected a list of files or searches'],
    ['metrics: [m.npz]', `11: metrics[0]: ${outside}`],
    ['metrics: [a/../../m.json]', `11: metrics[0]: ${outside}`],
    ['metrics: [{file: m.csv, stepp: epoch}]', '25: metrics[0].stepp: unknown key. Did you mean step?'],
    ["metrics: [{stdout: 'acc=(.*)'}]", '20: metrics[0].stdout: expected a regular expression with a named group'],
    ["metrics: [{file: 'm*.csv', prefix: '**.'}]", '36: metrics[0].prefix: it has a ** more than the path m*.csv'],
    ["metrics: [{file: '**/m.csv', prefix: '*.'}]", '38: metrics[0].prefix: it has a * more than the path **/m.csv'],
    ["metrics: [{stdout: 'acc=(?<acc>.*'}]", '20: metrics[0].stdout: Invalid regular expression'],
    ['best: {acc: high}', "13: best.acc: expected max or min, not 'high'"],
    ['best: {acc: max, constructor: min}', '31: best.constructor: expected a name other than __proto__, prototype, co'],
    ['outputs: [/a]', `11: outputs[0]: ${outside}`],
    ['outputs: ["**/m.csv"]', `11: outputs[0]: ${outside} the folder of the group, with */ for each unknown folder`],
  ])('refuses the line %j with its position', (line, message) => {
    expectRefusal(`name: x\nexecutable: y\n${line}`, `:3:${message}`)
  })

  const needed = 'an experiment needs name and executable; see: qanat experiment new --help'
  it.each([
    ['uses: {a: 1}', 'for example: uses: [lib/**, /settings.toml]'],
    ['best: {acc: high}', 'for example: best: {acc: max, loss: min}'],
    ['actions: [{name: plot, executable: a, uses: {a: 1}}]', 'for example: uses: [/figures/**, style.mplstyle]'],
    ['description: [x]', needed],
    ['use: [x]', needed],
  ])('answers a wrong value with an example of its key if there is one: %s', (line, hint) => {
    const file = fileWith(`name: x\nexecutable: y\n${line}\n`)
    expect(() => readExperiment(readYaml(file, 'text'))).toThrow(expect.objectContaining({ hint }))
  })
})

describe('readDataset', () => {
  it('reads every key', () => {
    const text = 'name: iris\ndescription: Iris data\npath: data/iris\ntags: [flowers]\n'
    const iris = { name: 'iris', description: 'Iris data', path: 'data/iris', tags: ['flowers'], fingerprint: 'auto' }
    expect(readDataset(readYaml(fileWith(text), 'text'))).toEqual(iris)
  })

  it('takes an experiment in place of a path that was known, and the other way round', () => {
    const stage = { experiment: 'train', best: 'acc', run: null, param: [], file: ['model.pt'], each: false }
    const iris = { name: 'iris', description: '', path: 'data/iris', tags: ['a'], fingerprint: 'auto' } as const
    const from = readDataset(readYaml(fileWith('from: {experiment: train, best: acc, file: model.pt}\n'), 'text'), iris)
    expect(from).toEqual({ ...iris, path: null, from: stage })
    expect(readDataset(readYaml(fileWith('path: data\n'), 'text'), from)).toEqual({ ...iris, path: 'data' })
    expect(readDataset(readYaml(fileWith('tags: [a]\n'), 'text'), from)).toEqual(from)
  })

  it.each([
    ['name: iris\n', ':1:1: a dataset needs a path, or from'],
    ['path: data\nname: .x\n', ":2:7: name: '.x' cannot be the name of a dataset"],
    ['path: data\nname: x\nexecutable: y\n', ':3:1: executable: unknown key'],
  ])('refuses %j with its position', (text, message) => {
    const file = fileWith(text)
    expect(() => readDataset(readYaml(file, 'text'))).toThrow(file + message)
  })
})

describe('experimentToYaml and datasetToYaml', () => {
  it('write YAML that is read as the same thing', () => {
    const file = join(folderWith(), 'description.yaml')
    fc.assert(
      fc.property(anyExperiment(), anyDataset(), (one, other) => {
        writeFileSync(file, experimentToYaml(one))
        expect(readExperiment(readYaml(file, 'text'))).toEqual(one)
        writeFileSync(file, datasetToYaml(other))
        expect(readDataset(readYaml(file, 'text'))).toEqual(other)
      }),
    )
  })

  it('write the keys in the order of the forms', () => {
    const iris = { name: 'iris', description: '', path: 'data/iris', tags: ['flowers'], fingerprint: 'auto' } as const
    expect(datasetToYaml(iris)).toBe('name: iris\ndescription: ""\npath: data/iris\ntags:\n  - flowers\n')
    const [description, path, ...others] = OPTIONAL
    const keys = experimentToYaml(readExperiment(readYaml(fileWith(FULL), 'text'))).match(/^\w+/gm)
    expect(keys).toEqual(['name', description, path, 'executable', ...others])
  })
})
