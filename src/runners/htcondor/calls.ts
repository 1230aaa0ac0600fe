import { SchedulerError } from '../../errors.js'
import type { ProgramQuery, Site } from '../../sites/site.js'
import type { ProgramOptions, ProgramResult } from '../../system/programs.js'

/** A schedd that takes longer has not answered, in milliseconds. */
const patience = 10_000

/** Submitting ten thousand jobs takes seconds, a busy schedd its time. */
export const submitPatience = 300_000

function askingOptions(): ProgramOptions {
  return { environment: { ...process.env, LC_ALL: 'C' }, timeout: patience }
}

/** Runs one of HTCondor's programs that only asks. */
export function askCondor(site: Site, command: readonly string[]): Promise<ProgramResult> {
  return site.run(command, askingOptions())
}

/** The same, to be asked in a visit. */
export function condorQuery(key: string, command: readonly string[]): ProgramQuery {
  return { key, command, options: askingOptions() }
}

/** The command that tells the name of the schedd, see {@link parseSchedd}. */
export const scheddCommand = ['condor_q', '-totals']

/** Name of the schedd that jobs are submitted to from here; null where it does not answer. */
export function parseSchedd({ exitCode, stdout }: ProgramResult): string | null {
  return exitCode === 0 ? (/^-- Schedd: (\S+)/m.exec(stdout)?.[1] ?? null) : null
}

/** Asks for it. @throws SchedulerError where there is none or it is silent */
export async function scheddName(site: Site): Promise<string> {
  const result = await askCondor(site, scheddCommand)
  const name = parseSchedd(result)
  if (name === null) throw notAnswering('condor_q', result)
  return name
}

/** @throws SchedulerError where what submits jobs is not there */
export function requireHTCondor(site: Site): void {
  if (!site.hasProgram('condor_submit')) throw notThere('condor_submit')
}

function notThere(program: string): SchedulerError {
  return new SchedulerError(
    `HTCondor is not on this machine: no '${program}' in PATH`,
    'run it on a machine that submits jobs, or here with --runner local',
  )
}

export function notAnswering(program: string, result: ProgramResult): SchedulerError {
  if (result.ending === 'missing') return notThere(program)
  return new SchedulerError(`HTCondor does not answer: ${silenceOf(result)}`, 'try again in a moment')
}

/** What a program that did not answer has said instead. */
export function silenceOf({ stderr, ending, exitCode }: ProgramResult): string {
  return stderr.trim() || (ending === 'timeout' ? `no answer within ${patience / 1000} s` : `exit code ${exitCode}`)
}
