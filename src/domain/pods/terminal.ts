import type { Manifest } from './manifest.js'

/** The pod in which a shell is opened on a terminal. */
export interface TerminalPod {
  readonly name: string
  /** How it is made, and removed at the end; null if it runs already, and stays. */
  readonly manifest: Manifest | null
}

/** The name of the pod of a shell. @param folder of the shell, as in `…/shell_1a2b3c4d` */
export function shellPodName(folder: string): string {
  return `qanat-${folder.slice(folder.lastIndexOf('/') + 1).replace('_', '-')}`
}

/** How often whoever sits in a shell tells its pod so, in seconds, and how often that may fail to come. */
const [interval, mostMissed] = [20, 6]

/** The same in milliseconds. */
export const attendanceInterval = interval * 1000

/** The program of the pod of a shell: it ends once nobody has told it for some time that somebody sits there. */
export const attendedProgram = `trap 'exit 0' TERM INT
missed=0
while [ "$missed" -lt ${mostMissed} ]; do
  sleep ${interval} &
  wait $!
  if rm "$HOME/.qanat-attended" 2>/dev/null; then missed=0; else missed=$((missed + 1)); fi
done`

/** A program beside it that tells so for each line that it reads. */
export const attendingProgram = `while read -r line; do : >"$HOME/.qanat-attended"; done`
