import { SchedulerError } from '../../errors.js'

/** How a call of kubectl has ended. */
interface Ended {
  readonly ending: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** The error for a call of kubectl that has failed, with what to do. */
export function kubectlError({ ending, stderr, exitCode }: Ended): SchedulerError {
  if (ending === 'missing')
    return new SchedulerError('kubectl is not in the PATH', 'https://kubernetes.io/docs/tasks/tools/')
  if (ending === 'timeout') return new SchedulerError('kubectl has not answered in time', 'try again')
  const text = wordsIn(stderr) ?? `exit ${exitCode}`
  return new SchedulerError(`kubectl: ${text}`, adviceFor(text))
}

/** The last error that kubectl tells, without notes of its library, and what a plugin for logins says before or after it. */
function wordsIn(stderr: string): string | null {
  const lines = stderr.split('\n').filter(line => line.trim() !== '' && !/^[EWIF]\d{4} /.test(line))
  const told = lines.findLast(line => /^(error\b|Unable to|The connection to)/i.test(line)) ?? lines.at(-1)
  return told?.replace(/^error: /, '').trim() ?? null
}

/** What to do about each kind of error; the first that fits counts. */
const advices: readonly (readonly [RegExp, string])[] = [
  [
    /no context exists|context .* does not exist/,
    "kubectl config get-contexts        lists those that there are; correct 'cluster' of the context",
  ],
  [/executable .* not found/, 'kubectl needs that program for the login: install it, or put it into the PATH'],
  [
    /Unauthorized|must be logged in|credentials|exec plugin/,
    'log in as your cluster asks, then try again: kubectl auth whoami',
  ],
  [/loading config file|invalid configuration/, 'correct that file: kubectl config view        reads it'],
  [/namespaces "[^"]*" not found/, 'kubectl create namespace NAME, or correct the context'],
  [/being terminated/, 'the namespace is going away: choose another one'],
  [/exceeded quota/, 'the quota of the namespace is full: kubectl describe quota'],
  [/forbidden/i, 'qanat context test NAME        shows which rights are missing'],
  [
    /Unable to connect|The connection to the server/,
    'try again once the cluster can be reached: kubectl cluster-info        asks it',
  ],
]

function adviceFor(text: string): string {
  return advices.find(([words]) => words.test(text))?.[1] ?? 'try again'
}
