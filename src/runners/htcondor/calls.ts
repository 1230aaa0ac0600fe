import { SchedulerError } from '../../errors.js'
import { hasProgram, type ProgramResult, runProgram } from '../../system/programs.js'

/** A schedd that takes longer has not answered, in milliseconds. */
const patience = 10_000

/** Submitting ten thousand jobs takes seconds, a busy schedd its time. */
export const submitPatience = 300_000

/** Runs one of HTCondor's programs that only asks. */
export function askCondor(command: readonly string[]): Promise<ProgramResult> {
  return runProgram(command, { environment: { ...process.env, LC_ALL: 'C' }, timeout: patience })
}

/** Name of the schedd that jobs are submitted to from here. @throws SchedulerError where there is none or it is silent */
export async function scheddName(): Promise<string> {
  const result = await askCondor(['condor_q', '-totals'])
  const name = /^-- Schedd: (\S+)/m.exec(result.stdout)?.[1]
  if (result.exitCode !== 0 || name === undefined) throw notAnswering('condor_q', result)
  return name
}

/** @throws SchedulerError where what submits jobs is not there */
export function requireHTCondor(): void {
  if (!hasProgram('condor_submit')) throw notThere('condor_submit')
}

function notThere(program: string): SchedulerError {
  return new SchedulerError(
    `HTCondor is not on this machine: no '${program}' in PATH`,
    'run it on a machine that submits jobs, or here with --runner local',
  )
}

export function notAnswering(program: string, { ending, stderr }: ProgramResult): SchedulerError {
  if (ending === 'missing') return notThere(program)
  const words = stderr.trim() || `no answer within ${patience / 1000} s`
  return new SchedulerError(`HTCondor does not answer: ${words}`, 'try again in a moment')
}
