import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levels } from '../../src/domain/data/fingerprint.js'
import type { Dataset } from '../../src/domain/dataset.js'
import { type Experiment, manifests, passable } from '../../src/domain/experiment.js'
import { nothingExpected } from '../../src/domain/results/metrics.js'
import { UserError } from '../../src/errors.js'
import { datasetToYaml, experimentToYaml, readDatasetFile, readExperimentFile } from '../../src/project/descriptions.js'
import { anyCharacter } from '../cases.js'
import { fileWith, folderWith } from './temporary.js'

const FULL = `name: summary_iris
description: Summary statistics
path: experiments
executable: experiments/summary.py
executable_command: python3 -u
datasets:
  - iris
tags:
  - First-order
  - Histograms
actions:
  - plot:
      name: plot
      executable: experiments/plot.py
      executable_command: python3
      description: Plot it
  - name: export
    executable: export.sh
  - report: {name: , executable: report.sh}
metrics:
  - metrics.json
  - {file: logs/history.csv, step: epoch}
  - {stdout: 'acc=(?<acc>\\S+)'}
best: {acc: max, loss: min}
outputs: [metrics.json, 'model*.pt']
passes: [--json, -V, --json]
uses: lib/**
ignores: ['*.md', notebooks, '*.md']
manifest: hash
`
const PLAIN_ACTION = { description: '', executableCommand: '' }

describe('readExperimentFile', () => {
  it('reads every key, and actions in both forms', () => {
    expect(readExperimentFile(fileWith(FULL))).toEqual({
      name: 'summary_iris',
      description: 'Summary statistics',
      path: 'experiments',
      executable: 'experiments/summary.py',
      executableCommand: 'python3 -u',
      tags: ['First-order', 'Histograms'],
      datasets: ['iris'],
      actions: [
        { name: 'plot', description: 'Plot it', executable: 'experiments/plot.py', executableCommand: 'python3' },
        { name: 'export', executable: 'export.sh', ...PLAIN_ACTION },
        { name: 'report', executable: 'report.sh', ...PLAIN_ACTION },
      ],
      results: {
        metrics: [
          { file: 'metrics.json', step: null },
          { file: 'logs/history.csv', step: 'epoch' },
          { stdout: 'acc=(?<acc>\\S+)' },
        ],
        best: { acc: 'max', loss: 'min' },
        outputs: ['metrics.json', 'model*.pt'],
      },
      passes: ['--json', '-V'],
      uses: ['lib/**'],
      ignores: ['*.md', 'notebooks'],
      manifest: 'hash',
    })
  })

  it.each([
    ['keys left out', ''],
    [
      'nulls',
      'description:\npath: ~\nexecutable_command: null\ntags:\ndatasets: null\nactions:\nmetrics:\nbest: ~\noutputs:\npasses:\nuses:\nignores:\nmanifest:\n',
    ],
    ['empty lists', 'tags: []\ndatasets: []\nactions: []\nmetrics: []\nbest: {}\noutputs: []\npasses: []\nuses: []\n'],
  ])('reads %s as empty', (_, rest) => {
    const nothing = { description: '', path: '', executableCommand: '', tags: [], datasets: [], actions: [] }
    expect(readExperimentFile(fileWith(`name: x\nexecutable: run.sh\n${rest}`))).toEqual({
      name: 'x',
      executable: 'run.sh',
      results: nothingExpected,
      passes: [],
      uses: [],
      ignores: null,
      manifest: 'size',
      ...nothing,
    })
  })

  it('accepts one tag as text, and scalars as written', () => {
    const text = 'name: 007\nexecutable: true\ndescription: 1.50\ntags: 2024\ndatasets: iris\n'
    expect(readExperimentFile(fileWith(text))).toMatchObject({
      name: '007',
      executable: 'true',
      description: '1.50',
      tags: ['2024'],
      datasets: ['iris'],
    })
  })

  it('keeps a tag or dataset that is given twice once', () => {
    const text = 'name: x\nexecutable: y\ntags: [a, b, a]\ndatasets: [d, d]\n'
    expect(readExperimentFile(fileWith(text))).toMatchObject({ tags: ['a', 'b'], datasets: ['d'] })
  })

  it.each([
    ['no name', 'executable: x\n', ':1:1: name: missing'],
    ['an empty name', "name: ''\nexecutable: x\n", ":1:7: name: expected text that is not empty, not ''"],
    [
      'an option that always belongs to the experiment',
      'name: x\nexecutable: y\npasses: [--json, --seed]\n',
      ':3:18: passes[1]: expected one of -V, --detach, --commit, --allow_dirty, --snapshot, --max_failures,',
    ],
    ['an unknown manifest', 'name: x\nexecutable: y\nmanifest: md5\n', ':3:11: manifest: expected one of size, hash'],
    ['no executable', 'name: x\n', ':1:1: executable: missing'],
    ['an executable of nothing', 'name: x\nexecutable:\n', ':2:12: executable: missing, expected text'],
    ['a misspelt key', 'name: x\nexectuable: y\n', ':2:1: exectuable: unknown key. Did you mean executable?'],
    ['an unknown key', 'name: x\nexecutable: y\nfoo: 1\n', ':3:1: foo: unknown key. The keys are name, description'],
    ['a list as text', 'name: [a]\nexecutable: y\n', ':1:7: name: expected text, not a list'],
    ['a mapping as tags', 'name: x\nexecutable: y\ntags: {a: b}\n', ':3:7: tags: expected a list of texts, not a map'],
    ['a list in tags', 'name: x\nexecutable: y\ntags: [a, [b]]\n', ':3:11: tags[1]: expected text, not a list'],
    ['an empty dataset', 'name: x\nexecutable: y\ndatasets:\n  -\n', ':4:4: datasets[0]: missing, expected text'],
    ['a bad name', 'name: a b\nexecutable: y\n', ":1:7: name: 'a b' cannot be the name of an experiment"],
    ['a bad dataset', 'name: x\nexecutable: y\ndatasets: [a, b/c]\n', ":3:15: datasets[1]: 'b/c' cannot be the name"],
    [
      'an open quote',
      "name: x\nexecutable: y\nexecutable_command: sh -c 'x\n",
      ':3:21: executable_command: expected words whose quotes are closed',
    ],
    ['a list', '- name: x\n', ':1:1: expected a mapping of keys to values, not a list'],
    ['an empty file', '', ':1:1: missing, expected a mapping'],
    ['actions as a mapping', 'name: x\nexecutable: y\nactions: {a: b}\n', ':3:10: actions: expected a list of actions'],
    ['an action as text', 'name: x\nexecutable: y\nactions: [plot]\n', ':3:11: actions[0]: expected a mapping'],
    [
      'an action without executable',
      'name: x\nexecutable: y\nactions:\n  - plot: {description: p}\n',
      ':4:11: actions[0].plot.executable: missing',
    ],
    [
      'a misspelt key of an action',
      'name: x\nexecutable: y\nactions:\n  - name: p\n    executabel: q\n',
      ':5:5: actions[0].executabel: unknown key. Did you mean executable?',
    ],
    [
      'an action with a bad name',
      'name: x\nexecutable: y\nactions:\n  - p/q: {executable: z}\n',
      ":4:10: actions[0].p/q.name: 'p/q' cannot be the name of an action",
    ],
    [
      'two actions of a name',
      'name: x\nexecutable: y\nactions: [{name: p, executable: q}, {p: {executable: q}}]\n',
      ':3:37: actions[1]: a second action with the name p',
    ],
    [
      'metrics as text',
      'name: x\nexecutable: y\nmetrics: metrics.json\n',
      ':3:10: metrics: expected a list of files or searches',
    ],
    ['another format', 'name: x\nexecutable: y\nmetrics: [m.npz]\n', ':3:11: metrics[0]: expected a path inside'],
    [
      'metrics outside',
      'name: x\nexecutable: y\nmetrics: [a/../../m.json]\n',
      ':3:11: metrics[0]: expected a path inside',
    ],
    [
      'a misspelt key of metrics',
      'name: x\nexecutable: y\nmetrics: [{file: m.csv, stepp: epoch}]\n',
      ':3:25: metrics[0].stepp: unknown key. Did you mean step?',
    ],
    [
      'an expression without names',
      "name: x\nexecutable: y\nmetrics: [{stdout: 'acc=(.*)'}]\n",
      ':3:20: metrics[0].stdout: expected a regular expression with a named group',
    ],
    [
      'a broken expression',
      "name: x\nexecutable: y\nmetrics: [{stdout: 'acc=(?<acc>.*'}]\n",
      ':3:20: metrics[0].stdout: Invalid regular expression',
    ],
    [
      'a metric that would be lost',
      'name: x\nexecutable: y\nbest: {acc: max, constructor: min}\n',
      ":3:31: best.constructor: expected a name other than __proto__, prototype, constructor, not 'constructor'",
    ],
    ['another end', 'name: x\nexecutable: y\nbest: {acc: high}\n', ":3:13: best.acc: expected max or min, not 'high'"],
    ['an output outside', 'name: x\nexecutable: y\noutputs: [/a]\n', ':3:11: outputs[0]: expected a path inside'],
    [
      'an output with **',
      'name: x\nexecutable: y\noutputs: ["**/m.csv"]\n',
      ":3:11: outputs[0]: expected a path inside the folder of the group, with */ for each unknown folder instead of **, not '**/m.csv'",
    ],
  ])('refuses %s with its position', (_, text, message) => {
    const file = fileWith(text)
    const attempt = () => readExperimentFile(file)
    expect(attempt).toThrow(UserError)
    expect(attempt).toThrow(file + message)
    expect(attempt).toThrow(expect.objectContaining({ hint: expect.any(String) }))
  })
})

describe('a wrong value', () => {
  it.each([
    ['uses: {a: 1}', 'for example: uses: [lib/**, /settings.toml]'],
    ['executable_command: [a]', 'for example: executable_command: python3 -u'],
    ['best: {acc: high}', 'for example: best: {acc: max, loss: min}'],
    ['actions: [{name: plot, executable: a, uses: {a: 1}}]', 'for example: uses: [/figures/**, style.mplstyle]'],
    ['description: [x]', 'an experiment needs name and executable; see: qanat experiment new --help'],
    ['use: [x]', 'an experiment needs name and executable; see: qanat experiment new --help'],
  ])('is answered with an example of its key if there is one: %s', (line, hint) => {
    const file = fileWith(`name: x\nexecutable: y\n${line}\n`)
    expect(() => readExperimentFile(file)).toThrow(expect.objectContaining({ hint }))
  })
})

describe('readDatasetFile', () => {
  it('reads every key', () => {
    const text = 'name: iris\ndescription: Iris data\npath: data/iris\ntags: [flowers]\n'
    const iris = { name: 'iris', description: 'Iris data', path: 'data/iris', tags: ['flowers'], fingerprint: 'stat' }
    expect(readDatasetFile(fileWith(text))).toEqual(iris)
  })

  it.each([
    ['no path', 'name: iris\n', ':1:1: path: missing'],
    ['no name', 'path: data\n', ':1:1: name: missing'],
    ['a bad name', 'path: data\nname: .x\n', ":2:7: name: '.x' cannot be the name of a dataset"],
    ['a key of experiments', 'path: data\nname: x\nexecutable: y\n', ':3:1: executable: unknown key'],
  ])('refuses %s with its position', (_, text, message) => {
    const file = fileWith(text)
    expect(() => readDatasetFile(file)).toThrow(file + message)
  })
})

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    'null',
    '~',
    'true',
    '007',
    '1e3',
    ' x',
    'x ',
    'a: b',
    '# c',
    '- d',
    'line\nline\n',
    '\n',
    '\r\n',
    '<<',
  ),
)
const filled = text.filter(value => value !== '')
const list = <T>(of: fc.Arbitrary<T>) => fc.uniqueArray(of, { maxLength: 4 })
const pattern = fc.constantFrom('*.md', '/train.py', 'lib/**', 'a b/')
const command = fc.constantFrom('', 'python -u', "sh -c 'a b'", 'conda run -n "x y" python', '~/bin/py\\ thon')
const action = fc.record({ name, description: text, executable: filled, executableCommand: command })
const actions = fc.uniqueArray(action, { maxLength: 3, selector: ({ name }) => name })
const metricSource = fc.oneof(
  fc.record({ file: fc.constantFrom('metrics.json', 'a b/c.csv', '*.tsv'), step: fc.option(filled) }),
  fc.record({ stdout: fc.constantFrom('acc=(?<acc>\\S+)', "it's '(?<a>.)'") }),
)
const results = fc.record({
  metrics: fc.array(metricSource, { maxLength: 3 }),
  best: fc.dictionary(name, fc.constantFrom('max', 'min'), { maxKeys: 3 }),
  outputs: list(name),
})
const experiment: fc.Arbitrary<Experiment> = fc.record({
  ...{ name, description: text, path: text, executable: filled, executableCommand: command },
  ...{ tags: list(filled), datasets: list(name), actions, results, passes: fc.subarray([...passable]) },
  ...{ uses: list(pattern), ignores: fc.option(list(pattern)) },
  manifest: fc.constantFrom(...manifests),
})
const dataset: fc.Arbitrary<Dataset> = fc.record({
  ...{ name, description: text, path: filled, tags: list(filled) },
  fingerprint: fc.constantFrom(...levels),
})

describe('experimentToYaml and datasetToYaml', () => {
  it('write YAML that is read as the same thing', () => {
    const file = join(folderWith(), 'description.yaml')
    fc.assert(
      fc.property(experiment, dataset, (one, other) => {
        writeFileSync(file, experimentToYaml(one))
        expect(readExperimentFile(file)).toEqual(one)
        writeFileSync(file, datasetToYaml(other))
        expect(readDatasetFile(file)).toEqual(other)
      }),
    )
  })

  it('write the keys in the order of the forms', () => {
    const iris: Dataset = { name: 'iris', description: '', path: 'data/iris', tags: ['flowers'], fingerprint: 'stat' }
    expect(datasetToYaml(iris)).toBe('name: iris\ndescription: ""\npath: data/iris\ntags:\n  - flowers\n')
    const keys = experimentToYaml(readExperimentFile(fileWith(FULL))).match(/^\w+/gm)
    const expected = [
      'name',
      'description',
      'path',
      'executable',
      'executable_command',
      'tags',
      'datasets',
      'actions',
      'metrics',
      'best',
      'outputs',
      'passes',
      'uses',
      'ignores',
      'manifest',
    ]
    expect(keys).toEqual(expected)
  })
})
