/** What a shell says of a line of a job script of ours: under its name in `.run`, or under the name that a scheduler gives it. */
const ofJobScript =
  /^(?:.*\/\.run\/[^:]*|(?:.*\/)?(?:slurm_script|condor_exec\.exe)): (?:line )?\d+: (?:(?:exec|eval): )?(?:(?:line )?\d+: )?/
const ofSetsid = /^setsid: (?:failed to execute |can't execute ')([^/']+)'?: No such file or directory$/

/**
 * A line of stderr in which a shell complains about a command, without the place in the job script, which says nothing to whoever
 * wrote the command; any other line unchanged.
 */
export function withoutJobScript(line: string): string {
  const [, program] = ofSetsid.exec(line) ?? []
  const message = program === undefined ? line.replace(ofJobScript, '') : `${program}: not found`
  if (message === line) return line
  const [, missing] = /^(.+): (?:command )?not found$/.exec(message) ?? []
  return missing === undefined ? message : `${missing}: not found: is it installed where the group runs?`
}
