import type { FakeSlurm } from '../e2e/launch/fake-slurm.js'

/** States in which Slurm has ended a job from outside. */
const ended = ['OUT_OF_MEMORY', 'TIMEOUT', 'NODE_FAIL']

/** Lets squeue tell `why` of each task by itself. */
export function explainEach(slurm: FakeSlurm): void {
  const file = slurm.file('explained_')
  slurm.before('squeue', `for word; do case $word in --jobs=*_*) cat ${file}\${word#--jobs=}; exit ;; esac; done`)
}

/**
 * Has tasks of the last job come to a state, by `1-3=COMPLETED` or `4=PENDING(Resources)`: those that have ended were run,
 * and those that Slurm has ended were killed in the middle. Tasks that were never named are pending.
 */
export async function comeTo(slurm: FakeSlurm, words: string): Promise<void> {
  const [, first, last = first, state, reason = 'None'] = /^(\d+)(?:-(\d+))?=(\w+)(?:\((\w+)\))?$/.exec(words)!
  const [job, name] = slurm.taken().at(-1)!
  const says = (task: number, now: string, why: string) => {
    const started = new Date().toISOString().slice(0, 19)
    slurm.queue(now, {
      job,
      task,
      name,
      reason: why,
      started,
      ended: started,
      exit: ended.includes(now) ? '0:9' : '0:0',
    })
    const facts = [now, why, 'n1', '3:11', '2G', '1:00:00', name, slurm.commentOf(job)]
    slurm.folder.write(`.qanat/slurm_explained_${job}_${task}`, `${facts.join('|')}\n`)
  }
  const known = `.qanat/slurm_explained_${job}_0`
  const [, end] = /--array=\d+-(\d+)/.exec(slurm.wordsOf(job).join(' ')) ?? [null, 0]
  if (!slurm.folder.has(known)) for (let task = 0; task <= Number(end); task++) says(task, 'PENDING', 'Priority')
  for (let task = Number(first); task <= Number(last); task++) {
    if (!['RUNNING', 'PENDING'].includes(state!)) await run(slurm, { job, task, isKilled: ended.includes(state!) })
    says(task, state!, reason)
  }
}

/** Runs a task, or kills it and the shell around it. */
async function run(
  slurm: FakeSlurm,
  { isKilled, ...task }: { job: number; task: number; isKilled: boolean },
): Promise<void> {
  const { environment, path } = slurm.folder
  const usual = environment.PATH
  if (isKilled) {
    slurm.folder.write('.qanat/killed/python3', '#!/bin/sh\nkill -KILL $PPID\n', 0o755)
    environment.PATH = `${path}/.qanat/killed:${usual}`
  }
  await slurm.runJob(task)
  environment.PATH = usual
}
