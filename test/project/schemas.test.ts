import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { templateKeys } from '../../src/project/templates/template-schema.js'
import { cases } from '../cases.js'
import { changes } from './changes.js'
import { editorAccepts, examplesOf, readerComplaint, schemas } from './schema-pairs.js'
import { folderWith } from './temporary.js'

/** Files of each kind, in which together every key stands. There are several where one would be long, and slow to change. */
const full: Texts = {
  config: [
    `{default_editor: code --wait, result_dir: results, logging: DEBUG, emoji: false, poll_interval: 0.5, grace: 60,
      confirm_above: 10, snapshot: never, environment: {ignore: [black]}, nohtcondorwarning: true,
      local: {default: {env: {A: 1}}, two: {extends: default}}}`,
    `slurm: {default: {--exclusive: true, -n: 2, --mail-type: [END, FAIL], resources: {cpus: 1, partition: gpu}}}
htcondor: {default: {+Attribute: x, getenv: [PATH, HOME], arguments: [--to, a], resources: {cpus: 1, nodes: 1}}}`,
  ],
  template: [
    `resources: {cpus: 2, gpus: v100:2, memory: 4 GB, disk: 500, time: 90, nodes: 1, tasks: 1, tasks_per_node: 1,
  constraint: a100, account: 1234, partition: gpu, qos: low}`,
    `{modules: [cuda/12, 2023], after_modules: module list, venv: .venv, conda: null,
      env: {OMP_NUM_THREADS: 4, DEBUG: true, EMPTY: ''}, secrets: [WANDB_API_KEY, TOKEN]}`,
    `{setup: ulimit -n 4096, secrets: {TOKEN: {command: [pass, show, token]}, WANDB_API_KEY: {}}, teardown: echo done,
      arguments: [--to, $QANAT_SCRATCH/a, 7], background: [nvidia-smi -l 60], nice: 10, launcher: "srun --comment='a b'",
      scratch: true, shell: /bin/bash --login, max_parallel: 20, pack: 32}`,
    'pack: {groups: 32, slots: 4}',
  ],
  document: [
    `{name: paper, description: A paper, path: papers/iris, tags: [a], compile_script: main.tex, view_script: main.pdf,
      compile_script_command: latexmk -pdf, view_script_command: xdg-open, experiment_dependencies: [
        {experiment_name: iris, run_args_file: grid.yaml, runner: slurm, container: image.sif, commit_sha: 0771af9,
          runner_params: {submit_template: two_cpus, n_threads: 4, gpu: false}, action_name: plot,
          action_args: [--bins, 20], files: [group_0/histogram.svg]},
        {experiment_name: other, runner_params: --submit_template two_cpus, action_args: --bins 20, files: a.json},
        {experiment_name: third, files: [
          a.txt,
          {compare: table.tex, over: seed, metrics: acc, sort: -acc, top: 5, repeats: true, ci: bootstrap:7},
          {plot: acc.svg, x: --lr, y: acc, by: --model, log: x, kind: points, width: 85},
          {report: report.html, over: '', by: lr}]}]}`,
  ],
  dataset: [
    '{name: iris, description: Iris data, path: data, tags: [flowers], fingerprint: stat}',
    "{name: fit, from: {experiment: train, best: acc, run: 8.15, param: ['--model:svm'], file: [a.pt], each: false}}",
  ],
  experiment: [
    `{name: iris, description: Summary, path: experiments, executable: iris.py, executable_command: python3 -u,
      tags: [a, b], datasets: [iris], actions: [
        {plot: {name: plot, description: Plot, executable: plot.py, executable_command: python3}},
        {name: export, description: Export, executable: export.sh, executable_command: sh}],
      metrics: [metrics.json, {file: logs/history.csv, step: epoch}, {stdout: 'acc=(?<acc>\\S+)'}],
      best: {acc: max, loss: min}, outputs: [metrics.json, 'model*.pt'], passes: [--json, -V], uses: [lib/**],
      ignores: '*.md', manifest: hash, storage_option: --out, dataset_option: data=}`,
  ],
  parameters: [
    `{fixed_args: {
        positional: {0: a, 1: {value: ''}}, options: {--bins: 20, --flag: '', --repeated: [1, {value: x}], -v: null}},
      varying_args: {groups: [{options: {--species: setosa}}, {positional: {2: b}}]}}`,
    `varying_args: {range: {
      options: {--n: [5, 51, 10], --m: {start: 0, stop: 1, step: 0.1}, --rate: {linspace: [0, 1, 3]}},
      positional: {0: {values: [x, y]}, 1: {logspace: [-3, 0, 4]}}}}`,
    `varying_args: {
      range: {options: {--n: [5, 51, 10]}},
      zip: [{options: {--a: [1, 2], --b: {values: [[x, y], '']}}, positional: {0: [p, q]}}]}`,
  ],
}

type Texts = Readonly<Record<string, readonly string[]>>
const pairsOf = (texts: Texts) =>
  Object.entries(texts).flatMap(([kind, all]) => all.map((text): [string, string] => [kind, text]))

const folders = (paths: string) => paths.split(' ').map(path => `result_dir: ${path}`)
const keys = (names: string) => names.split(' ').map(name => `${name}: x`)
const inExperiment = (line: string) => `name: x\nexecutable: y\n${line}`
const dependency = 'name: x\npath: y\ncompile_script: z\nexperiment_dependencies:\n  - experiment_name: e\n'
const inDependency = (line: string) => `${dependency}    ${line}`
const axis = (form: string) => `varying_args: {range: {options: {--x: ${form}}}}`

/** What is not among the changes of the full files. */
const valid: Texts = {
  config: [
    ...['', 'slurm:\nlocal: {default: }\n'],
    ...folders(
      '.results .gitlab ..results a/b résultats ./out/runs/ /tmp/x ../out ../../out/ ~/out $HOME ${A}/b a.b/..c',
    ),
  ],
  template: [
    ...['', 'extends: null', '--gres: gpu:1\n--mem: null\nconda: a', 'request_gpus: 1\nMY.Attribute: "x"'],
    'resources: {time: 2-00:00:00, memory: 2t, gpus: 0}',
  ],
  dataset: ['name: 007\npath: 1.5\ntags: 2024\n'],
  experiment: [
    'name: x\nexecutable: true\ndescription:\npath: ~\ntags:\ndatasets: null\nactions:\n',
    inExperiment('datasets: iris\nactions: [{p: {executable: z}}, {q: {name: , executable: z}}]'),
  ],
  document: [
    inDependency(
      'runner_params: {--submit_template: two_cpus, --n_threads: 4, --gpu: true}\n    action_params: --bins 20',
    ),
  ],
  parameters: [
    ...['{}', 'varying_args:', 'varying_args: {groups: [], zip: , range: }'],
    'fixed_args: {options: &base {--a: 1}}\nvarying_args: {groups: [{options: {<<: *base, --b: 3}}]}',
    'varying_args: {zip: {options: {--a: [1, 2], --b: {linspace: [0, 1, 2]}}}}',
  ],
}

const invalid: Texts = {
  config: [
    ...folders(". ./ .. ./../..// a/../.. / // .git .git/x .GIT/x .//.qanat/x ./.qanat/results '' ~me/x"),
    ...['slurm: {a b: {}}', 'slurm: {default: {request_cpus: 1}}', 'htcondor: {default: {--mem: 1G}}'],
    ...['htcondor: {default: {resources: {partition: gpu}}}', 'htcondor: {default: {resources: {nodes: 2}}}'],
  ],
  template: [
    ...["resources: {time: '0:00'}", 'secrets: [PATH]', 'secrets: {QANAT_TOKEN: {command: [pass]}}'],
    ...keys('--array --job-name -J --comment --parsable --wait -W --wrap --input -i'),
    ...keys('executable Executable arguments Queue log batch_name +JobBatchName max_materialize stdin MY.QanatToken'),
    'Arguments: [x]',
  ],
  dataset: ['name: .x\npath: data'],
  experiment: ['datasets: [a, b/c]', 'actions: [{p/q: {executable: z}}]'].map(inExperiment),
  document: [
    ...['[/etc/passwd]', '[../x]', '[{compare: table.doc}]', '[{plot: a/b.svg}]', '[{report: r.html, compare: t.tex}]'],
  ].map(files => inDependency(`files: ${files}`)),
  parameters: [
    ...['', 'fixed_args: {options: {--a=1: 1}}', 'fixed_args: {options: {-1.5: 1}}', 'varying_args: {ranges: {}}'],
    ...['[0, 1]', '{values: [a], linspace: [0, 1, 2]}'].map(axis),
  ],
}

describe('the schemas for editors', () => {
  test.each(Object.keys(schemas))('%s: have only examples that are valid', name => {
    const examples = examplesOf(name)
    expect(examples.length).toBeGreaterThan(0)
    expect(examples.filter(({ isValid }) => !isValid)).toEqual([])
  })

  test.each([...pairsOf(full), ...pairsOf(valid)])('%s: %j is valid, for editors and for the program', (name, text) => {
    expect([readerComplaint(name, text), editorAccepts(name, parse(text, { merge: true }))]).toEqual(['', true])
  })

  test.each(pairsOf(invalid))('%s: %j is invalid, for editors and for the program', (name, text) => {
    expect(readerComplaint(name, text)).not.toBe('')
    expect(editorAccepts(name, parse(text, { merge: true }))).toBe(false)
  })

  test.each([
    ['config', 'unknown: 1', 'properties'],
    ['dataset', 'unknown: 1', 'properties'],
    ['experiment', 'unknown: 1', 'properties'],
    ['experiment', inExperiment('actions: [{name: a, unknown: 1}]'), 'definitions.action.properties'],
    ['document', 'unknown: 1', 'properties'],
    ['document', inDependency('unknown: 1'), 'definitions.dependency.properties'],
    ['parameters', 'unknown: {}', 'properties'],
    ['parameters', 'fixed_args: {unknown: 1}', 'definitions.part.properties'],
    ['parameters', 'varying_args: {unknown: 1}', 'properties.varying_args.properties'],
    ['parameters', axis('{unknown: 1}'), 'definitions.form.properties'],
    ['template', 'resources: {unknown: 1}', 'definitions.template.properties.resources.properties'],
  ])('%s: know the same keys as the program in %j', (name, text, path) => {
    const properties = path.split('.').reduce((node, key) => node[key], schemas[name])
    const known = /(?:The keys are|the keys are) (.*)$/m.exec(readerComplaint(name, text))?.[1] ?? ''
    const keys = Object.entries(properties).flatMap(([key, value]: [string, any]) => (value?.doNotSuggest ? [] : [key]))
    expect(keys.sort()).toEqual(known.split(', ').sort())
  })

  test('know the same keys of templates as the program', () => {
    const keys = ['extends', ...Object.keys(templateKeys)]
    expect(Object.keys(schemas.template.definitions.template.properties).sort()).toEqual(keys.sort())
    const template = { default: Object.fromEntries(keys.map(key => [key, null])) }
    expect(editorAccepts('config', { local: template, slurm: template })).toBe(true)
  })

  test.each(pairsOf(full))('%s: agree with the program, whatever is changed in %j', (name, text) => {
    const file = join(folderWith(), 'file.yaml')
    const all = changes(parse(text))
    const [tried] = fc.sample(fc.subarray(all, { minLength: cases(all.length), maxLength: cases(all.length) }), 1)
    const disagreements = tried!.flatMap(({ change, value }) => {
      const yaml = stringify(value, { nullStr: '' })
      const complaint = readerComplaint(name, yaml, file)
      const agreed = editorAccepts(name, value) === (complaint === '') || BEYOND.test(complaint) || NOTHING.test(change)
      return agreed ? [] : [`${change}: ${complaint || 'nothing wrong'}`]
    })
    expect(disagreements).toEqual([])
  })
})

/** The reader of parameters takes `options: ''` for nothing, as it does `options:`. */
const NOTHING = /^(|fixed_args|varying_args|\S+(range|groups|groups\.\d|zip|options|positional)) = (\[""\]|"")$/

/** What is wrong between two values, which a schema cannot say. */
const BEYOND =
  /no \w+ template|extends itself|the same twice|nothing lies between|range of one value|differ in length|out of range|a second|is not understood|pack has \d+ slots|leaves no use for best/
