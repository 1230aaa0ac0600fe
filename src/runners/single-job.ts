import type { EnvironmentChange } from '../system/programs.js'

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
