import type { BegunProcess, Life, Machine, ProcessIdentity } from '../system/process-identity.js'
import type { ProgramOptions, ProgramResult } from '../system/programs.js'

/** Something to ask at a site. Answers come back under the same key. */
export type Query = ProgramQuery | ProcessQuery

/** A program that only asks, such as squeue. */
export interface ProgramQuery {
  readonly key: string
  readonly command: readonly string[]
  readonly options: ProgramOptions
}

/** Whether a process lives. */
export interface ProcessQuery {
  readonly key: string
  readonly process: ProcessIdentity | BegunProcess
}

/** What a program printed, or whether a process lives, by the key of the query. */
export type Answers = ReadonlyMap<string, ProgramResult | Life>

/** What a program that was asked printed; null where nobody asked. */
export function programAnswer(answers: Answers, key: string): ProgramResult | null {
  const answer = answers.get(key)
  return answer === undefined || typeof answer === 'string' ? null : answer
}

/** A program that goes on by itself, and talks to the one that started it through pipes as long as both want to. */
export interface Started {
  /** Null where it could not be started. */
  readonly identity: ProcessIdentity | null
  /** Writes to its standard input and closes that. */
  tell(text: string): void
  /** The first thing that it prints, or how it ended without a word. */
  readonly answer: Promise<{ readonly text: string } | { readonly failure: string }>
  /** Resolves when it has ended. */
  readonly end: Promise<unknown>
  /** Lets it go on alone. */
  leave(): void
}

/** A place where runs live. Every call is asynchronous, and a refresh of all its runs is one visit. */
export interface Site {
  readonly name: string
  readonly machine: Machine
  /** Name of the user that programs are run as. */
  readonly user: string
  /** Asks everything at once. A query that gets no answer hinders no other. */
  visit(queries: readonly Query[]): Promise<Answers>
  /** Runs a program to its end. `into`: files that get its stdout and stderr and outlive this program. */
  run(command: readonly string[], options: ProgramOptions, into?: readonly [string, string]): Promise<ProgramResult>
  /** Whether a program is in the PATH, or under its absolute path. */
  hasProgram(name: string): boolean
  /** Starts a program in a session of its own. */
  start(command: readonly string[]): Started
}
