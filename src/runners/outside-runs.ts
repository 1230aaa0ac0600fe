import type { TerminalPod } from '../domain/pods/terminal.js'
import type { Entry } from '../system/folders/entries.js'
import type { EnvironmentChange } from '../system/programs.js'

/** Files for the folder of a shell, and the absolute path of the one that starts it. */
export interface OnTerminal {
  readonly files: readonly Entry[]
  readonly start: string
  /** The pod in which it starts; missing where the site is a machine. */
  readonly pod?: TerminalPod
}

/** Shell lines about a single job that runs a script, and is waited for: see `prepare-there.sh`. */
export interface SingleJob {
  readonly environment: EnvironmentChange
  /** Submits it, and prints its id. */
  readonly submit: string
  /** Prints something unless nothing will become of the job `$id` any more. */
  readonly look: string
  /** Prints what the scheduler knows of its end. */
  readonly explain: string
  readonly cancel: string
}

/** What a single job is: its name, the absolute path of its script there, and of the file for its output. */
export interface SingleJobParts {
  readonly name: string
  readonly script: string
  readonly log: string
}
