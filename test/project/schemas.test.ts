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
const full: Readonly<Record<string, readonly string[]>> = {
  config: [
    `
default_editor: code --wait
result_dir: results
logging: DEBUG
emoji: false
poll_interval: 0.5
snapshot: never
nohtcondorwarning: true
local: {default: {env: {A: 1}}, two: {extends: default}}
`,
    `
slurm: {default: {--exclusive: true, -n: 2, --mail-type: [END, FAIL], resources: {cpus: 1, partition: gpu}}}
htcondor: {default: {+Attribute: x, getenv: [PATH, HOME], arguments: [--to, a], resources: {cpus: 1, nodes: 1}}}
`,
  ],
  template: [
    `
resources: {cpus: 2, gpus: v100:2, memory: 4 GB, disk: 500, time: 90, nodes: 1, tasks: 1, tasks_per_node: 1,
  constraint: a100, account: 1234, partition: gpu, qos: low}
`,
    `
modules: [cuda/12, 2023]
after_modules: module list
venv: .venv
conda:
env: {OMP_NUM_THREADS: 4, DEBUG: true, EMPTY: ''}
secrets: [WANDB_API_KEY, TOKEN]
`,
    `
setup: ulimit -n 4096
secrets: {TOKEN: {command: [pass, show, token]}, WANDB_API_KEY: {}}
teardown: echo done
arguments: [--to, $QANAT_SCRATCH/a, 7]
background: [nvidia-smi -l 60]
launcher: "srun --comment='a b'"
scratch: true
shell: /bin/bash --login
max_parallel: 20
`,
  ],
  document: [
    `
name: paper
description: A paper
path: papers/iris
compile_script: main.tex
compile_script_command: latexmk -pdf
view_script: main.pdf
view_script_command: xdg-open
tags: [a]
experiment_dependencies:
  - experiment_name: iris
    run_args_file: grid.yaml
    runner: slurm
    runner_params: {submit_template: two_cpus, n_threads: 4, gpu: false}
    container: image.sif
    commit_sha: 0771af9
    action_name: plot
    action_args: [--bins, 20]
    files: [group_0/histogram.svg]
  - {experiment_name: other, runner_params: --submit_template two_cpus, action_args: --bins 20, files: summary.json}
  - experiment_name: third
    files:
      - a.txt
      - {compare: table.tex, over: seed, metrics: acc, sort: -acc, top: 5, repeats: true, ci: bootstrap:7}
      - {plot: acc.svg, x: --lr, y: acc, by: --model, log: x, kind: points, width: 85}
      - {report: report.html, over: '', by: lr}
`,
  ],
  dataset: ['name: iris\ndescription: Iris data\npath: data\ntags: [flowers]\n'],
  experiment: [
    `
name: iris
description: Summary
path: experiments
executable: experiments/iris.py
executable_command: python3 -u
tags: [a, b]
datasets: [iris]
actions:
  - plot: {name: plot, description: Plot, executable: plot.py, executable_command: python3}
  - {name: export, description: Export, executable: export.sh, executable_command: sh}
metrics: [metrics.json, {file: logs/history.csv, step: epoch}, {stdout: 'acc=(?<acc>\\S+)'}]
best: {acc: max, loss: min}
outputs: [metrics.json, 'model*.pt']
passes: [--json, -V]
manifest: hash
`,
  ],
  parameters: [
    `
fixed_args:
  positional: {0: a, 1: {value: ''}}
  options: {--bins: 20, --flag: '', --repeated: [1, {value: x}], -v: }
varying_args:
  groups:
    - options: {--species: setosa}
    - positional: {2: b}
`,
    `
varying_args:
  range:
    options: {--n: [5, 51, 10], --m: {start: 0, stop: 1, step: 0.1}, --rate: {linspace: [0, 1, 3]}}
    positional: {0: {values: [x, y]}, 1: {logspace: [-3, 0, 4]}}
`,
    `
varying_args:
  range: {options: {--n: [5, 51, 10]}}
  zip:
    - {options: {--a: [1, 2], --b: {values: [[x, y], '']}}, positional: {0: [p, q]}}
`,
  ],
}

/** The same as pairs of the kind and the text. */
const allFull = Object.entries(full).flatMap(([name, texts]) => texts.map((text): [string, string] => [name, text]))

const dependency = 'name: x\npath: y\ncompile_script: z\nexperiment_dependencies:\n  - experiment_name: e\n'

const valid: readonly [string, string][] = [
  ...allFull,
  ['config', ''],
  ['config', 'slurm:\nlocal: {default: }\n'],
  ['config', 'result_dir: ./out/runs/\n'],
  ...['.gitlab', '/tmp/x', '../out', '../../out/', '~/out', '$HOME', '${A}/b', '/a/b', 'a.b/..c'].map(
    (path): [string, string] => ['config', `result_dir: ${path}\n`],
  ),
  ['template', ''],
  ['template', 'extends: null\n'],
  ['template', '--gres: gpu:1\n--mem: null\nconda: a\n'],
  ['template', 'request_gpus: 1\nMY.Attribute: "x"\n'],
  ['template', 'resources: {time: 2-00:00:00, memory: 2t, gpus: 0}\n'],
  ['dataset', 'name: 007\npath: 1.5\ntags: 2024\n'],
  ['experiment', 'name: x\nexecutable: true\ndescription:\npath: ~\ntags:\ndatasets: null\nactions:\n'],
  [
    'experiment',
    'name: x\nexecutable: y\ndatasets: iris\nactions: [{p: {executable: z}}, {q: {name: , executable: z}}]\n',
  ],
  [
    'document',
    `${dependency}    runner_params: {--submit_template: two_cpus, --n_threads: 4, --gpu: true}\n    action_params: --bins 20\n`,
  ],
  ['parameters', '{}'],
  ['parameters', 'varying_args:\n'],
  ['parameters', 'varying_args: {groups: [], zip: , range: }\n'],
  ['parameters', 'fixed_args: {options: &base {--a: 1}}\nvarying_args: {groups: [{options: {<<: *base, --b: 3}}]}\n'],
  ['parameters', 'varying_args: {zip: {options: {--a: [1, 2], --b: {linspace: [0, 1, 2]}}}}\n'],
]

const invalid: readonly [string, string][] = [
  ['config', 'default_editor: [vim]'],
  ['config', 'logging: LOUD'],
  ['config', 'logging:'],
  ['config', 'poll_interval: 0'],
  ['config', 'snapshot: true'],
  ['config', 'poll_intervall: 5'],
  ['config', '- a'],
  ...['.', './', '..', './../..//', 'a/../..', '/', '//', '.git', '.GIT/x', './/.qanat/x', "''", '~me/x'].map(
    (path): [string, string] => ['config', `result_dir: ${path}`],
  ),
  ['config', 'slurm: [a]'],
  ['config', 'slurm: {a b: {}}'],
  ['config', 'slurm: {default: 5}'],
  ['config', 'slurm: {default: {resource: {}}}'],
  ['config', 'slurm: {default: {request_cpus: 1}}'],
  ['config', 'local: {default: {--mem: 1G}}'],
  ['config', 'htcondor: {default: {--mem: 1G}}'],
  ['config', 'htcondor: {default: {resources: {partition: gpu}}}'],
  ['config', 'htcondor: {default: {resources: {nodes: 2}}}'],
  ['template', '--gres: gpu:1\nresource: {cpus: 1}'],
  ['template', '--gres: {gpu: 1}'],
  ['template', 'conda: a\nvenv: b'],
  ['template', 'resources: {cpu: 1}'],
  ['template', 'resources: {gpus: v100}'],
  ['template', 'resources: {memory: lots}'],
  ['template', 'resources: {memory: 1.5}'],
  ['template', 'resources: {time: 2h}'],
  ['template', "resources: {time: '0:00'}"],
  ['template', 'env: {A-B: x}'],
  ['template', 'secrets: [A-B]'],
  ['template', 'secrets: [PATH]'],
  ['template', 'secrets: {QANAT_TOKEN: {command: [pass]}}'],
  ['template', 'secrets: {TOKEN: {command: []}}'],
  ['template', 'secrets: {TOKEN: {command: pass show}}'],
  ['template', 'secrets: {TOKEN: value}'],
  ['template', 'modules: cuda'],
  ['template', 'background: [1]'],
  ['template', `launcher: "srun 'x"`],
  ...['--array', '--job-name', '-J', '--comment', '--parsable', '--wait', '-W', '--wrap', '--input', '-i'].map(
    (key): [string, string] => ['template', `${key}: x`],
  ),
  ...['executable', 'arguments', 'queue', 'log', 'batch_name', '+JobBatchName', 'max_materialize', 'stdin'].map(
    (key): [string, string] => ['template', `${key}: x`],
  ),
  ['template', 'Executable: x'],
  ['template', 'Arguments: [x]'],
  ['template', 'arguments: [[x]]'],
  ['template', 'MY.QanatToken: x'],
  ['dataset', 'name: iris'],
  ['dataset', 'name: .x\npath: data'],
  ['dataset', 'name: x\npath: data\nexecutable: y'],
  ['experiment', 'name: x\nexecutable: y\ntags: [a, [b]]'],
  ['experiment', "name: x\nexecutable: y\ntags: ''"],
  ['experiment', 'name: x\nexecutable: y\ndatasets: [a, b/c]'],
  ['experiment', "name: x\nexecutable: y\nexecutable_command: sh -c 'x"],
  ['experiment', 'name: x\nexecutable: y\nactions: {a: b}'],
  ['experiment', 'name: x\nexecutable: y\nactions: [{}]'],
  ['experiment', 'name: x\nexecutable: y\nactions: [{plot: {description: p}}]'],
  ['experiment', 'name: x\nexecutable: y\nactions: [{p/q: {executable: z}}]'],
  ['experiment', 'name: x\nexecutable: y\nactions: [{name: p, executabel: q}]'],
  ['document', 'name: x\npath: y'],
  ['document', `${dependency}    runner_params: {cpus: 1}`],
  ['document', `${dependency}    runner_params: two_cpus`],
  ['document', `${dependency}    files: [/etc/passwd]`],
  ['document', `${dependency}    files: [../x]`],
  ['document', `${dependency}    files: [{compare: table.doc}]`],
  ['document', `${dependency}    files: [{plot: a/b.svg}]`],
  ['document', `${dependency}    files: [{plot: a.svg, metrics: acc}]`],
  ['document', `${dependency}    files: [{report: r.html, compare: t.tex}]`],
  ['parameters', ''],
  ['parameters', 'fixd_args: {}'],
  ['parameters', 'fixed_args: {options: {mean: 1}}'],
  ['parameters', 'fixed_args: {options: {--a=1: 1}}'],
  ['parameters', 'fixed_args: {options: {-1.5: 1}}'],
  ['parameters', 'fixed_args: {options: {--a: []}}'],
  ['parameters', 'fixed_args: {options: {--a: [[1]]}}'],
  ['parameters', 'fixed_args: {options: {--a: {valu: 1}}}'],
  ['parameters', 'fixed_args: {positional: {a: 1}}'],
  ['parameters', 'fixed_args: {positional: {0: }}'],
  ['parameters', "fixed_args: {positional: {0: ''}}"],
  ['parameters', 'fixed_args: {positional: {0: [a]}}'],
  ['parameters', 'varying_args: {ranges: {}}'],
  ['parameters', 'varying_args: {groups: {options: {}}}'],
  ...['5', '[0, 1]', '[0, ten, 1]', '[0, 1, 0]', '{start: 0, stop: 1}', '{values: []}', '{values: [{}]}'].map(
    (axis): [string, string] => ['parameters', `varying_args: {range: {options: {--x: ${axis}}}}`],
  ),
  ...['{linspace: [0, 1, 0]}', '{logspace: 3}', '{values: [a], linspace: [0, 1, 2]}'].map((axis): [string, string] => [
    'parameters',
    `varying_args: {zip: {options: {--x: ${axis}}}}`,
  ]),
  ['parameters', 'varying_args: {zip: {options: {}}}'],
]

describe('the schemas for editors', () => {
  test.each(Object.keys(schemas))('%s: have only examples that are valid', name => {
    const examples = examplesOf(name)
    expect(examples.length).toBeGreaterThan(0)
    expect(examples.filter(({ isValid }) => !isValid)).toEqual([])
  })

  test.each(valid)('%s: %j is valid, for editors and for the program', (name, text) => {
    expect([readerComplaint(name, text), editorAccepts(name, parse(text, { merge: true }))]).toEqual(['', true])
  })

  test.each(invalid)('%s: %j is invalid, for editors and for the program', (name, text) => {
    expect([readerComplaint(name, text), editorAccepts(name, parse(text, { merge: true }))]).toEqual([
      expect.stringMatching(/./),
      false,
    ])
  })

  test.each([
    ['config', 'unknown: 1', schemas.config.properties],
    ['dataset', 'unknown: 1', schemas.dataset.properties],
    ['experiment', 'unknown: 1', schemas.experiment.properties],
    [
      'experiment',
      'name: x\nexecutable: y\nactions: [{name: a, unknown: 1}]',
      schemas.experiment.definitions.action.properties,
    ],
    ['document', 'unknown: 1', schemas.document.properties],
    ['document', `${dependency}    unknown: 1`, schemas.document.definitions.dependency.properties],
    ['parameters', 'unknown: {}', schemas.parameters.properties],
    ['parameters', 'fixed_args: {unknown: 1}', schemas.parameters.definitions.part.properties],
    ['parameters', 'varying_args: {unknown: 1}', schemas.parameters.properties.varying_args.properties],
    [
      'parameters',
      'varying_args: {range: {options: {--x: {unknown: 1}}}}',
      schemas.parameters.definitions.form.properties,
    ],
    ['template', 'resources: {unknown: 1}', schemas.template.definitions.template.properties.resources.properties],
  ])('%s: know the same keys as the program in %j', (name, text, properties) => {
    const known = /(?:The keys are|the keys are) (.*)$/m.exec(readerComplaint(name, text))?.[1] ?? ''
    const keys = Object.entries(properties).flatMap(([key, value]: [string, any]) => (value?.doNotSuggest ? [] : [key]))
    expect(keys.sort()).toEqual(known.split(', ').sort())
  })

  test('know the same keys of templates as the program', () => {
    const keys = ['extends', ...Object.keys(templateKeys)]
    expect(Object.keys(schemas.template.definitions.template.properties).sort()).toEqual(keys.sort())
    for (const key of keys) {
      const template = { default: { [key]: null } }
      expect([key, editorAccepts('config', { local: template, slurm: template })]).toEqual([key, true])
    }
  })

  test.each(allFull)('%s: agree with the program, whatever is changed in %j', (name, text) => {
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
  /no \w+ template|extends itself|the same twice|nothing lies between|range of one value|differ in length|out of range|a second|is not understood/
