import { mainContainer } from '../../domain/pods/reasons.js'
import { attendanceInterval, attendingProgram, type TerminalPod } from '../../domain/pods/terminal.js'
import { InterruptedError, SchedulerError } from '../../errors.js'
import { pause } from '../../system/pause.js'
import { runHere, runProgram } from '../../system/programs.js'
import { here } from '../here.js'
import type { TerminalUse } from '../site.js'
import { createPod, waitForPod } from './begin.js'

type InPod = TerminalUse & { readonly pod: TerminalPod }

/** How long somebody is told to sit there by one call of kubectl, in milliseconds. */
const longest = 86_400_000

/**
 * Runs a shell script that is on the volume on the terminal of this command, in a pod.
 * @param words with which kubectl is called
 * @returns its exit code; 1 if the connection was lost
 * @throws SchedulerError with the reason if the pod does not begin; InterruptedError if nobody waits for it any longer
 */
export async function converseInPod(words: readonly string[], file: string, use: InPod): Promise<number> {
  const { pod } = use
  const converse = async () => {
    const { TERM = 'xterm' } = (await here.probe()).variables
    const command = [...execWords(words, pod, '-it'), 'env', `TERM=${TERM}`, 'sh', file]
    return (await runHere(command, { cwd: '/', ending: use.ending })).code
  }
  if (pod.manifest === null) return converse()
  await begin(words, use)
  const left = new AbortController()
  const attending = attend(words, pod, left.signal)
  try {
    return await converse()
  } finally {
    left.abort()
    await attending
  }
}

async function begin(words: readonly string[], { pod, interruption, waits }: InPod): Promise<void> {
  if (interruption.aborted) throw new InterruptedError()
  await createPod(words, pod.manifest!)
  const goesOn = (reason: string) => {
    if (!interruption.aborted) waits(reason)
    return !interruption.aborted
  }
  const reason = await waitForPod(words, pod.name, goesOn, interruption)
  waits(null)
  if (interruption.aborted) throw new InterruptedError()
  if (reason !== null)
    throw new SchedulerError(
      `the pod of the shell does not begin: ${reason}`,
      'correct the template, or name another one: --submit_template TEMPLATE',
    )
}

/** Tells a pod that somebody sits there, until they have left. One call does: a login that has expired meanwhile would end others. */
async function attend(words: readonly string[], pod: TerminalPod, left: AbortSignal): Promise<void> {
  while (!left.aborted) {
    const command = [...execWords(words, pod, '-i'), 'sh', '-c', attendingProgram]
    await runProgram(command, { input: linesUntil(left), timeout: longest, ending: left })
    await pause(attendanceInterval, left)
  }
}

async function* linesUntil(left: AbortSignal): AsyncGenerator<Uint8Array> {
  while (!left.aborted) {
    yield Buffer.from('\n')
    await pause(attendanceInterval, left)
  }
}

function execWords(words: readonly string[], { name }: TerminalPod, streams: '-i' | '-it'): string[] {
  return [...words, 'exec', streams, name, '-c', mainContainer, '--']
}
