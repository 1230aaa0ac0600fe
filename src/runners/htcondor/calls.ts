import { SchedulerError } from '../../errors.js'
import type { ProgramQuery, Site } from '../../sites/site.js'
import type { ProgramOptions, ProgramResult } from '../../system/programs.js'

/** How long to wait for the schedd's answer, in milliseconds. */
const patience = 10_000

/** How long to wait for a submission: ten thousand jobs take seconds, a busy schedd takes longer. */
export const submitPatience = 300_000

const askingOptions: ProgramOptions = { environment: { set: { LC_ALL: 'C' } }, timeout: patience }

/** Runs one of HTCondor's programs that change nothing. */
export function askCondor(site: Site, command: readonly string[]): Promise<ProgramResult> {
  return site.run(command, askingOptions)
}

/** The same as a query of a visit. */
export function condorQuery(key: string, command: readonly string[]): ProgramQuery {
  return { key, command, options: { ...askingOptions, digests: true } }
}

/** The command that prints the name of the schedd, see {@link parseSchedd}. */
export const scheddCommand = ['condor_q', '-totals']

/** Name of the schedd to which jobs are submitted from here; null if it does not answer. */
export function parseSchedd({ exitCode, stdout }: ProgramResult): string | null {
  return exitCode === 0 ? (/^-- Schedd: (\S+)/m.exec(stdout)?.[1] ?? null) : null
}

/** Asks for the name of the schedd. @throws SchedulerError if there is none or it does not answer */
export async function scheddName(site: Site): Promise<string> {
  const result = await askCondor(site, scheddCommand)
  const name = parseSchedd(result)
  if (name === null) throw notAnswering('condor_q', result)
  return name
}

/** @throws SchedulerError if a program that submits jobs is missing */
export async function requireHTCondor(site: Site): Promise<void> {
  const { programs } = await site.probe(['condor_submit'])
  if (!programs.has('condor_submit')) throw notThere('condor_submit')
}

function notThere(program: string): SchedulerError {
  return new SchedulerError(
    `HTCondor is not on this machine: no '${program}' in PATH`,
    'run it on a submit node, or here with --runner local',
  )
}

export function notAnswering(program: string, result: ProgramResult): SchedulerError {
  if (result.ending === 'missing') return notThere(program)
  return new SchedulerError(`HTCondor does not answer: ${silenceOf(result)}`, 'try again in a moment')
}

/** Why a program did not answer: its stderr, or how it ended. */
export function silenceOf({ stderr, ending, exitCode }: ProgramResult): string {
  return stderr.trim() || (ending === 'timeout' ? `no answer within ${patience / 1000} s` : `exit code ${exitCode}`)
}
