import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, peakMemory } from './measure.js'
import { Project, program } from './project.js'

/** How much memory large launches take; the kernel's numbers in /proc, so on Linux only. */
export const memoryRows = [
  {
    name: 'memory',
    what: 'launch of 100,000 groups: peak memory of the command',
    reference: 'of 1,000',
    target: '+ ≤ 60 MB',
    measure: () => besideSmall(({ command }) => command),
  },
  {
    name: 'memory-keeper',
    what: 'launch of 100,000 groups: peak memory of the keeper',
    reference: 'of 1,000',
    target: '+ ≤ 60 MB',
    measure: () => besideSmall(({ keeper }) => keeper),
  },
].map(row => ({ ...row, unit: 'MB' }))

async function besideSmall(part) {
  if (!existsSync('/proc/self/status')) return null
  const project = new Project(['noop'])
  const launch = launches(project)
  return inTurn(
    5,
    async () => part(await launch(100_000)),
    async () => part(await launch(1000)),
  )
}

/** Launches a run each time it is called, looks at its first groups, and cancels it. */
function launches(project) {
  let id = 0
  return async groups => {
    id++
    const args = [program, 'run', '--detach', 'noop', '-R', `--seed 0 ${groups} 1`, '--n_threads', '2']
    const child = spawn(process.execPath, args, { cwd: project.path, env: project.environment, stdio: 'ignore' })
    const command = await peakMemory(child.pid)
    const folder = join(project.path, `results/noop/run_${id}`)
    const { pid } = JSON.parse(readFileSync(join(folder, '.run/pool/keeper'), 'utf8'))
    const keeper = await peakMemory(pid, () => existsSync(join(folder, 'group_500')))
    project.qanat('experiment', 'run_cancel', 'noop', String(id))
    return { command, keeper }
  }
}
