import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const box = fileURLToPath(new URL('../test/clusters/box', import.meta.url))
const inside = fileURLToPath(new URL('clusters-inside.js', import.meta.url))
const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** What a real Slurm with two nodes and a real HTCondor on this machine are needed for (see test/clusters/box). */
export const clusterRows = [
  {
    name: 'slurm-launch',
    what: 'launch of 10,000 groups on Slurm',
    reference: '10,000 folders and small files, one `sbatch`',
    target: '≤ 0.6×',
  },
  {
    name: 'slurm-bare',
    what: 'launch of 10,000 groups on Slurm',
    reference: 'a bare `sbatch --array`',
    target: '',
  },
  {
    name: 'slurm-refresh',
    what: 'refresh of a live run of 10,000 groups on Slurm, half of them ended, nothing new',
    reference: '`experiment list`, one `squeue -r`, one `sacct`',
    target: '≤ 1.2×',
  },
  {
    name: 'slurm-ended',
    what: 'the same where 1,000 groups have ended since',
    reference: '`experiment list`, one `squeue -r`, one `sacct`',
    target: '≤ 1.5×',
  },
  {
    name: 'slurm-packs',
    what: '2,000 groups of 0.1 s on Slurm, `pack: {groups: 100, slots: 4}`, two jobs at a time',
    reference: '`xargs -P8`, and as many empty jobs',
    target: '≤ 1.15×',
  },
  {
    name: 'htcondor-launch',
    what: 'launch of 10,000 groups on HTCondor',
    reference: '10,000 folders and small files, one `condor_submit`',
    target: '≤ 1.0×',
  },
  {
    name: 'htcondor-bare',
    what: 'launch of 10,000 groups on HTCondor',
    reference: 'a bare `condor_submit`',
    target: '',
  },
].map(row => ({ ...row, measure: () => measure(row.name) }))

function measure(name) {
  if (process.getuid?.() !== 0) {
    console.error(`skipped: ${name}: starting schedulers needs root`)
    return null
  }
  const options = { cwd: '/', env: { ...process.env, BOX_BIND: checkout, BOX_ACCOUNTING: '1', BOX_MAX_ARRAY: '20001' } }
  execFileSync('bash', [box, 'down'], { ...options, stdio: 'ignore' })
  execFileSync('bash', [box, 'up'], { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const output = execFileSync('bash', [box, 'run', 'node', inside, name], {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(output)
  } finally {
    execFileSync('bash', [box, 'down'], { ...options, stdio: 'ignore' })
  }
}
