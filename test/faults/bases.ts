import { splitWords } from '../../src/domain/text/words.js'

/** Files as they are written by hand, from the README and for every form that there is. */
export const files = {
  config: `default_editor: null
result_dir: results
logging: INFO
poll_interval: 30
snapshot: auto
local:
  default: {}
  gpu_box:
    extends: default
    env: { OMP_NUM_THREADS: 2 } # variables
    venv: .venv
    setup: |
      ulimit -n 4096
    shell: /bin/bash --login
slurm:
  default: { resources: { cpus: 1, memory: 2G, time: 1-00:00:00, partition: main } }
  gpu:
    extends: default
    --gres: gpu:a100:1
    --exclusive: true
    modules: [cuda/12.4]
htcondor:
  default: { resources: { cpus: 1, memory: 2G, disk: 1G } }
`,
  local: `env: { A: "b c", B: 0.10, TOKEN: 007 }
launcher: nice -n 10
scratch: true
background:
  - nvidia-smi dmon
teardown: |
  echo bye
max_parallel: 10
`,
  slurm: `resources: { cpus: 4, gpus: v100:2, memory: 16G, time: 10:00:00, nodes: 1, partition: main, account: me }
--mail-type: END,FAIL
--nice: null
--output: results/%x/slurm-%j.out
`,
  htcondor: `resources: { cpus: 4, gpus: 2, memory: 16G, disk: 1G, time: 10:00:00 }
+WishedAcctGroup: '"group_lab.vision"'
getenv: [PATH, HOME]
requirements: (Memory > 1000)
conda: training
`,
  experiment: `name: other
description: Summary statistics on the Iris data
path: experiments/summary_statistics
executable: it.sh
executable_command: sh -u
datasets: [words]
tags: [First-order, Histograms]
actions:
  - plot:
      name: plot
      description: draws
      executable: it.sh
      executable_command: sh
  - name: export
    executable: it.sh
`,
  dataset: `name: more
description: "Lengths: of words"
path: words.txt
tags:
  - text
  - small
`,
  parameters: `fixed_args:
  positional: { 0: first, 1: '' }
  options: { --bins: 20, --rate: 0.10, --verbose: '' }
varying_args:
  range:
    options:
      --seed: [0, 3, 1] # start, stop, step
      --lr: { linspace: [0.1, 0.5, 3] }
      --big: { values: [a, '1e3'] }
  groups:
    - options: { --species: setosa }
    - options: { --species: [virginica, versicolor] }
  zip: { options: { --a: [1, 2], --b: [x, y] } }
`,
} as const

/** Command lines of the README: the words up to `|` are left as they are. Those that run something in earnest name no path. */
export const lines = [
  'run --dry_run | it --bins 20 -R "--seed 0 10 1" --n_threads 2 --tag baseline',
  "run --dry_run | it -g '--bins 5' -g \"--bins 10 --species 'setosa x'\" -- --runner slurm",
  "run --dry_run | -V '--n_samples 100 500' --json it -f grid.yaml --tag paper",
  "run --dry_run | --runner slurm --submit_template gpu it -R '--rate 0.1 0.5 0.1' --wait",
  "run --dry_run | -r htcondor it --container python:3.12 --gpu --description 'a text'",
  'run --dry_run | --storage_path results/here --snapshot always it --commit_sha HEAD x',
  "run | it --bins 20 -R '--seed 0 3 1' --n_threads 2 --tag baseline",
  "run | --json it -g '--bins 5' -g \"--bins 10 --species 'setosa x'\" -- last",
  '| experiment status it --json',
  '| run_logs it 1 --group 0 --stderr',
  '| runs --since 3d --param --bins:20 --sort id --limit 3',
  'run_tag | it 1 +paper -b',
  "run_comment | it 1 -m 'seed 3 is an outlier'",
  'run_delete --yes | it 1 3-4',
  'run_retry | it 1 --only oom,timeout --resume',
  '| why it 1.0',
  '| rerun it 1',
  'action | it plot 1 --group_no 0 x',
  'config | set poll_interval 60',
  'config get | slurm.default.resources',
  'experiment | update it -f it.yaml',
  '| cache status --json',
  '| experiment export it',
].map(line => {
  const words = splitWords(line)
  return { fixed: words.slice(0, words.indexOf('|')), words: words.slice(words.indexOf('|') + 1) }
})
