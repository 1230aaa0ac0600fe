import type { Asked } from '../../domain/options/run-options.js'
import type { Doubt } from '../../domain/parameters/slips.js'

/** What a new run is asked for: on the command line, or by a document that lacks it. */
export interface LaunchRequest {
  readonly experiment: string
  readonly experimentArguments: readonly string[]
  /** Paths in them are relative to the current folder. */
  readonly options: Asked
}

/** A request that was typed. */
export interface TypedRequest extends LaunchRequest {
  /** The words that were typed after `qanat run`, for hints that repeat them. */
  readonly typed: readonly string[]
  readonly odd: OddWords
}

/** What looks odd in a line. */
export interface OddWords {
  /** Words that look as if the `-g` before them was forgotten. */
  readonly forgotten: readonly Doubt[]
  /** Options of the script that are near to one of ours, with that one. */
  readonly nearOurs: readonly { readonly given: string; readonly meant: string; readonly line: string | null }[]
}

/** What a launch asks a person. */
export interface Questions {
  /** Called if the tree is dirty. @returns the message to commit with, or null for no commit */
  commit(changes: string): Promise<string | null>
  /** Called if there are more groups than the setting `confirm_above` allows. @returns whether to launch them */
  many(groups: number): Promise<boolean>
  /** Called if something was probably meant otherwise; null if nobody wants to be asked. @returns whether to launch it all the same */
  readonly doubt: ((text: string) => Promise<boolean>) | null
}
