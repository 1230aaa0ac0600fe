import { launchFolder } from '../domain/runs/run-plan.js'

// Every path inside a run's folder that is ours, relative to that folder.

/** The journals that job scripts append to. */
export const recordsFolder = '.run/records'
/** Version 0.1 made it when somebody asked for the end of the run. */
export const cancelFile = '.run/cancelled'
/** What scripts have left in the frozen copy of the run. */
export const leftBehindFolder = '.run/left_behind'
/** Lines of all groups: what each is called with. */
export const planFile = '.run/plan'
/** What the supervisor and the shells of its slots have to say. */
export const supervisorLog = '.run/supervisor.log'
/** Slurm's own logs, one for each task. */
export const slurmLogs = '.run/slurm'
/** What the jobs of HTCondor write before their group starts. */
export const condorErrors = '.run/htcondor'

/** Identity of the supervisor of an attempt, as JSON. */
export function supervisorFile(attempt: number): string {
  return `${launchFolder(attempt)}/supervisor.json`
}

/** HTCondor's event log of an attempt. */
export function eventLog(attempt: number): string {
  return `${launchFolder(attempt)}/htcondor.log`
}

/** Which groups each submission of an attempt is of, as JSON. */
export function spansFile(attempt: number): string {
  return `${launchFolder(attempt)}/submissions.json`
}

/** What the command of a submission prints. */
export function submissionOutput(attempt: number, number: number): readonly [stdout: string, stderr: string] {
  const stem = `${launchFolder(attempt)}/submission_${number}`
  return [`${stem}.out`, `${stem}.err`]
}

/** Name of the journal of a group that a scheduler runs: each attempt has its own. */
export function journalName(index: string, attempt: number): string {
  return attempt === 1 ? index : `${index}.${attempt}`
}

/** Index and attempt that a journal is of; null for another file. */
export function journalOwner(name: string): { index: number; attempt: number } | null {
  const [, index, attempt = '1'] = /^(\d+)(?:\.(\d+))?$/.exec(name) ?? []
  return index === undefined ? null : { index: Number(index), attempt: Number(attempt) }
}
