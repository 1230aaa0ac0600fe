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
    background:
      - nvidia-smi dmon
    teardown: |
      cp -r "$QANAT_SCRATCH/logs" "$QANAT_STORAGE_PATH"
    scratch: true
    launcher: nice -n 10
    shell: /bin/bash --login
    max_parallel: 4
slurm:
  default:
    resources: { cpus: 1, memory: 2G, time: 1-00:00:00, partition: main }
  gpu:
    extends: default
    --gres: gpu:a100:1
    --mail-type: END,FAIL
    --exclusive: true
    modules: [cuda/12.4]
    conda: training
htcondor:
  default:
    resources: { cpus: 1, memory: 2G, disk: 1G }
    +WishedAcctGroup: '"group_lab.vision"'
    getenv: [PATH, HOME]
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
  slurm: `resources: { cpus: 4, gpus: v100:2, memory: 16G, time: 10:00:00, nodes: 1, partition: main, account: me }
--mail-type: END,FAIL
--exclusive: true
--nice: null
--output: results/%x/slurm-%j.out
modules: [cuda/12.4]
env: { TOKEN: 007 }
setup: |
  echo hello
max_parallel: 10
`,
  htcondor: `resources: { cpus: 4, gpus: 2, memory: 16G, disk: 1G, time: 10:00:00 }
+WishedAcctGroup: '"group_lab.vision"'
getenv: [PATH, HOME]
requirements: (Memory > 1000)
conda: training
background:
  - nvidia-smi dmon
`,
  local: `env: { A: "b c", B: 0.10 }
launcher: nice -n 10
scratch: true
teardown: echo bye
resources: { cpus: 1 }
`,
} as const

/** A command line: what is left as it is, and the words that are changed. */
interface Line {
  readonly fixed: readonly string[]
  readonly words: readonly string[]
}

const dry = ['run', '--dry_run']
const line = (fixed: readonly string[], ...words: string[]): Line => ({ fixed, words })

/** Command lines of the README. Those that run something in earnest name no path. */
export const lines: readonly Line[] = [
  line(dry, 'it', '--bins', '20', '-R', '--seed 0 10 1', '--n_threads', '2', '--tag', 'baseline'),
  line(dry, 'it', '-g', '--bins 5', '-g', "--bins 10 --species 'setosa x'", '--', '--runner', 'slurm'),
  line(dry, '-V', '--n_samples 100 500', '--json', 'it', '-f', 'grid.yaml', '--tag', 'paper'),
  line(dry, '--runner', 'slurm', '--submit_template', 'gpu', 'it', '-R', '--rate 0.1 0.5 0.1', '--wait'),
  line(dry, '-r', 'htcondor', 'it', '--container', 'python:3.12', '--gpu', '--description', 'a text'),
  line(dry, '--storage_path', 'results/here', '--snapshot', 'always', 'it', '--commit_sha', 'HEAD', 'x'),
  line(['run'], 'it', '--bins', '20', '-R', '--seed 0 3 1', '--n_threads', '2', '--tag', 'baseline'),
  line(['run'], '--json', 'it', '-g', '--bins 5', '-g', "--bins 10 --species 'setosa x'", '--', 'last'),
  line([], 'experiment', 'status', 'it', '--json'),
  line([], 'run_show', 'it', '1'),
  line([], 'run_logs', 'it', '1', '--group', '0', '--stderr'),
  line([], 'runs', '--since', '3d', '--param', '--bins:20', '--sort', 'id', '--limit', '3'),
  line(['run_tag'], 'it', '1', '+paper', '-b'),
  line(['run_comment'], 'it', '1', '-m', 'seed 3 is an outlier'),
  line(['run_delete', '--yes'], 'it', '1', '3-4'),
  line(['run_retry'], 'it', '1', '--only', 'oom,timeout', '--resume'),
  line([], 'why', 'it', '1.0'),
  line([], 'rerun', 'it', '1'),
  line(['action'], 'it', 'plot', '1', '--group_no', '0', 'x'),
  line(['config'], 'set', 'poll_interval', '60'),
  line(['config', 'get'], 'slurm.default.resources'),
  line(['experiment'], 'update', 'it', '-f', 'it.yaml'),
  line([], 'cache', 'status', '--json'),
  line([], 'experiment', 'export', 'it'),
  line([], 'run_wait', 'it', '1'),
]
