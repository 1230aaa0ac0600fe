import { readFileSync } from 'node:fs'
import { splitWords } from '../../src/domain/text/words.js'

const read = (path: string) => readFileSync(path, 'utf8')

/** Settings with every kind of key. */
const templates = `local:
  default: {}
  gpu_box:
    extends: default
    env: { OMP_NUM_THREADS: 2, CACHE: $HOME/cache }
    secrets: { HF_TOKEN: { command: [pass, show, hf] } }
    modules: [cuda/12]
    after_modules: |
      export CONDA_ENVS_PATH=~/envs
    venv: .venv
    setup: |
      ulimit -n 4096
    arguments: [--checkpoints, $QANAT_SCRATCH/checkpoints]
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
    --output: results/%x/slurm-%j.out
    modules: [cuda/12.4]
    conda: training
htcondor:
  default:
    resources: { cpus: 1, memory: 2G, disk: 1G }
    +WishedAcctGroup: '"group_lab.vision"'
    getenv: [PATH, HOME]
`

/** Files as they are written by hand: those of the examples, with the script and the data of the test. */
export const files = {
  config: `default_editor: null\nresult_dir: results\npoll_interval: 30\n${templates}`,
  experiment: read('examples/iris/experiment.yaml')
    .replaceAll(/executable: .*/g, 'executable: it.sh')
    .replace('[iris]', '[words]'),
  dataset: read('examples/iris/dataset.yaml').replace(/path: .*/, 'path: words.txt'),
  parameters: `${read('examples/iris/grid.yaml')}  zip: { options: { --a: [1, 2], --b: [x, y] } }\n`,
  slurm: read('examples/templates/slurm_gpu.yaml'),
  htcondor: read('examples/templates/htcondor_gpu.yaml'),
}

/** Command lines: the words up to `|` are left as they are. Those that run something in earnest name no path. */
export const lines = [
  'run --dry_run | it --bins 20 -R "--seed 0 10 1" --n_threads 2 --tag baseline',
  "run --dry_run | it -g '--bins 5' -g \"--bins 10 --species 'setosa x'\" -- --runner slurm",
  "run --dry_run | -V '--n_samples 100 500' --json it -f grid.yaml --tag paper",
  "run --dry_run | --runner slurm --submit_template gpu it -R '--rate 0.1 0.5 0.1' --wait",
  "run --dry_run | -r htcondor it --container python:3.12 --gpu --description 'a text'",
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
  'action | it plot 1 --group_no 0 x',
  'config | set poll_interval 60',
  'experiment | update it -f it.yaml',
].map(line => {
  const words = splitWords(line)
  return { fixed: words.slice(0, words.indexOf('|')), words: words.slice(words.indexOf('|') + 1) }
})
