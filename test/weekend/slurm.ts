import { type Act, type Job, outage, type Scheduler } from './scheduler.js'

/** Most tasks of an array, by the configuration of the box. */
const arraySize = 1001

const release = { after: 12, does: 'scontrol release JOB' }
const resume = { after: 6, does: 'scontrol resume JOB || ! squeue -h -j JOB -t suspended | grep -q .' }
const urgent = 'sbatch --chdir=/tmp --output=/dev/null --partition=urgent --nodes=2 --exclusive --wrap "sleep 5"'

const acts: readonly Act[] = [
  { name: 'hold', to: 'pending', means: 'nothing', does: 'scontrol hold JOB', undo: release },
  { name: 'scancel', to: 'pending', means: 'cancelled', does: 'scancel JOB' },
  { name: 'scancel', to: 'running', means: 'cancelled', does: 'scancel JOB' },
  { name: 'requeue', to: 'running', means: 'put back', does: 'scontrol requeue JOB' },
  { name: 'requeuehold', to: 'running', means: 'put back', does: 'scontrol requeuehold JOB', undo: release },
  { name: 'requeue', to: 'finished', means: 'put back', does: 'scontrol requeue JOB' },
  { name: 'suspend', to: 'running', means: 'nothing', does: 'scontrol suspend JOB', undo: resume },
  {
    ...{ name: 'preempt', to: null, means: 'nothing', isUpheaval: true },
    ...{ does: `runuser -u researcher -- ${urgent}`, undo: { after: 10, does: 'true' } },
  },
  {
    ...{ name: 'drain', to: null, means: 'nothing', does: 'scontrol update nodename=n1 state=drain reason=weekend' },
    // An earlier drain that ended meanwhile has ended this one too.
    undo: { after: 12, does: 'scontrol update nodename=n1 state=resume || ! sinfo -h -n n1 -o %T | grep -q drain' },
  },
]

/** An array for each so many groups, in their order. */
export const slurm: Scheduler = {
  name: 'slurm',
  acts,
  // Killed before it has stored its state, slurmctld drains nodes for a "Duplicate jobid", until somebody resumes them.
  outage: outage(
    'pid=$(cat /run/slurmctld.pid); kill "$pid"; until_succeeds "! kill -0 $pid"; kill -KILL $(cat /run/slurmd.n[12].pid)',
    'slurmd -N n1; slurmd -N n2; slurmctld; until_succeeds squeue',
  ),
  list: 'TZ=UTC squeue --noheader --array --states=all --format "%i|%T|%r|%S"',
  jobs(text) {
    const lines = [...text.matchAll(/^(\d+)_(\d+)\|(\w+)\|([^|]*)\|.*$/gm)]
    const arrays = [...new Set(lines.map(([, array]) => Number(array)))].sort((one, other) => one - other)
    return lines.map(([, array, task, state, reason]) => ({
      id: `${array}_${task}`,
      group: arrays.indexOf(Number(array)) * arraySize + Number(task),
      state: meaning(state!, reason!),
    }))
  },
  tend(text, mine) {
    const waiting = [...text.matchAll(/^(\d+_\d+)\|PENDING\|([^|]*)\|(.*)$/gm)]
    // A job that was requeued waits for two minutes. A node takes no job in the second in which it ended one with the same id.
    const late = waiting.filter(
      ([, , reason, start]) => reason === 'BeginTime' && Date.parse(`${start}Z`) > Date.now() + 5000,
    )
    const failed = waiting.filter(([, id, reason]) => /held/i.test(reason!) && !mine.has(id!))
    return [
      ...late.map(([, id]) => `scontrol update jobid=${id} starttime=now+2`),
      ...failed.map(([, id]) => `scontrol release ${id}`),
    ].join(';')
  },
}

function meaning(state: string, reason: string): Job['state'] {
  if (state === 'PENDING') return /held/i.test(reason) ? 'held' : 'pending'
  if (state === 'REQUEUE_HOLD' || state === 'SPECIAL_EXIT') return 'held'
  if (state === 'RUNNING') return 'running'
  return state === 'COMPLETED' ? 'finished' : 'other'
}
