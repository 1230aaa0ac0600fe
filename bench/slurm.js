import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const box = fileURLToPath(new URL('../test/clusters/box', import.meta.url))
const inside = fileURLToPath(new URL('slurm-inside.js', import.meta.url))
const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** What a real Slurm with two nodes on this machine is needed for (see test/clusters/box). */
export const slurmRows = [
  {
    name: 'slurm-launch',
    what: 'launch of 10,000 groups on Slurm',
    reference: '10,000 folders and small files, one `sbatch`',
    target: '≤ 1.0×',
    measure: () => measure('launch'),
  },
  {
    name: 'slurm-refresh',
    what: 'refresh of a live run of 10,000 groups on Slurm',
    reference: 'one `squeue` and one `sacct`',
    target: '≤ 3×',
    measure: () => measure('refresh'),
  },
]

function measure(what) {
  if (process.getuid?.() !== 0) {
    console.error(`skipped: slurm-${what}: starting a Slurm needs root`)
    return null
  }
  const options = { cwd: '/', env: { ...process.env, BOX_BIND: checkout, BOX_ACCOUNTING: '1', BOX_MAX_ARRAY: '20001' } }
  execFileSync('bash', [box, 'down'], { ...options, stdio: 'ignore' })
  execFileSync('bash', [box, 'up'], { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const output = execFileSync('bash', [box, 'run', 'node', inside, what], {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(output)
  } finally {
    execFileSync('bash', [box, 'down'], { ...options, stdio: 'ignore' })
  }
}
