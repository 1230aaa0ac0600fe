import { launchFolder } from '../domain/runs/run-plan.js'

// Every path of our own files in a run's folder, relative to that folder.

/** The journals that job scripts append to. */
export const recordsFolder = '.run/records'
/**
 * Facts about the environment of each attempt on each host: files `ATTEMPT.HOST`, and `ATTEMPT.HOST@…` once packages have
 * changed; in `places.ATTEMPT.HOST` is where the packages are. See runners/environment.sh.
 */
export const environmentsFolder = '.run/environments'

/** Where the packages of an attempt on a host are. */
export function packagePlaces(attempt: number, host: string): string {
  return `${environmentsFolder}/places.${attempt}.${host}`
}
/** Files that scripts have left in the frozen copy of the run. */
export const leftBehindFolder = '.run/left_behind'
/** In the mirror of a run that lives elsewhere: all of its files have come, and when it had ended. */
export const allFetchedFile = '.run/all_fetched'
/** The changes that no commit has, as a patch of git. */
export const patchFile = '.run/uncommitted.patch'
/** One line for each group, with its arguments. */
export const planFile = '.run/plan'
/** Problems that did not make a group fail, one a line. */
export const warningsFile = '.run/warnings.txt'
/** Messages of the keepers of pools and of their workers. */
export const poolLog = '.run/pool.log'
/** What pods of Kubernetes print themselves, one file each. */
export const podLogs = '.run/pods'
/** Names of jobs of Kubernetes without a volume, all of whose log was read that can be read: files with `whole` or `cut`. */
export const readLogs = '.run/read'
/** Slurm's own logs, one for each task. */
export const slurmLogs = '.run/slurm'

/**
 * Output of HTCondor's jobs before their group starts, one file each. HTCondor holds a job if this folder is missing at
 * its end. If a run has one group, its script may have removed the whole folder of the run, and job.sh makes only
 * `.run` again.
 */
export function condorErrors(groupCount: number): string {
  return groupCount === 1 ? '.run' : '.run/htcondor'
}

/** The groups of an attempt that a pool runs, one a line. */
export function poolPlan(attempt: number): string {
  return `${launchFolder(attempt)}/plan`
}

/** Identity of the keeper of the pool of an attempt, as JSON. */
export function keeperFile(attempt: number): string {
  return `${launchFolder(attempt)}/pool/keeper`
}

/** How many slots the pool of an attempt has now, if that was changed. */
export function slotsFile(attempt: number): string {
  return `${launchFolder(attempt)}/pool/slots`
}

/** Positions of the groups of an attempt that were claimed, but had not begun when all processes of its pool had died. */
export function claimedFile(attempt: number): string {
  return `${launchFolder(attempt)}/pool/again`
}

/** The jobs of a launch, and of each time that pods were started again, as `kubectl create` gets them. */
export function podJobsFile(attempt: number, generation: number): string {
  return `${launchFolder(attempt)}/kubernetes${generation === 0 ? '' : `_${generation}`}.json`
}

/** Everything of an attempt that its job script reads, with the values of variables, as shell lines. */
export function settingsFile(attempt: number): string {
  return `${launchFolder(attempt)}/settings.sh`
}

/** The secrets of an attempt, as shell lines. */
export function secretsFile(attempt: number): string {
  return `${launchFolder(attempt)}/secrets`
}

/** HTCondor's event log of an attempt. */
export function eventLog(attempt: number): string {
  return `${launchFolder(attempt)}/htcondor.log`
}

/** When a submission of an attempt began, and its groups, as JSON. */
export function submissionFile(attempt: number, number: number): string {
  return `${launchFolder(attempt)}/submission_${number}.json`
}

/** The output of the command of a submission. */
export function submissionOutput(attempt: number, number: number): readonly [stdout: string, stderr: string] {
  const stem = `${launchFolder(attempt)}/submission_${number}`
  return [`${stem}.out`, `${stem}.err`]
}

/** Name of the journal of a slot of a pool, which belongs to one attempt. */
export function slotName(attempt: number, slot: number | ''): string {
  return attempt === 1 ? `slot_${slot}` : `slot_${attempt}_${slot}`
}

/** The beginning of the names of the journals in the jobs of an attempt that have many groups. */
export function packJournal(attempt: number): string {
  return `pack_${attempt}_`
}

/** What the name of such a journal tells. */
export interface PackJournal {
  readonly attempt: number
  /** Position of the first group of the job among those of the attempt. */
  readonly first: number
  /** Which job of these groups it is, and which start of this job, both from 0. */
  readonly order: readonly [generation: number, start: number]
  readonly slot: number
}

/** Null for another file. */
export function packJournalOf(name: string): PackJournal | null {
  const numbers = /^pack_(\d+)_(\d+)\.(\d+)\.(\d+)_(\d+)$/.exec(name)?.slice(1).map(Number)
  if (!numbers) return null
  const [attempt, first, generation, start, slot] = numbers as [number, number, number, number, number]
  return { attempt, first, order: [generation, start], slot }
}

/** Name of the journal of a group on a scheduler: each attempt has its own. */
export function journalName(index: string, attempt: number): string {
  return attempt === 1 ? index : `${index}.${attempt}`
}

/** Index and attempt of a journal; null for another file. */
export function journalOwner(name: string): { index: number; attempt: number } | null {
  const [, index, attempt = '1'] = /^(\d+)(?:\.(\d+))?$/.exec(name) ?? []
  return index === undefined ? null : { index: Number(index), attempt: Number(attempt) }
}

/** With `--max_failures`: a letter for each group that has failed. failures.sh writes it. */
export const failuresFile = '.run/failures'
/** Names a process that asks whether a local run is to go on. Its pool starts no groups as long as that process lives. */
export const holdFile = '.run/hold'
/** How the run compared with those that repeated it, or that it repeats, one file each. */
export const verificationsFolder = '.run/verifications'
/** The records of actions on the run, one file each. */
export const actionsFolder = '.run/actions'
