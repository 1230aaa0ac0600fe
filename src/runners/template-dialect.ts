import type { JobEnvironment } from '../domain/job-environment.js'

/** A schema for editors: JSON Schema, draft 7, with the `errorMessage` and `patternErrorMessage` that editors know. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a runner knows of its own keys of a submit template, beside those that mean the same for every runner. */
export interface TemplateDialect<Options = unknown> {
  /**
   * Reads a template: the keys that are not the same for every runner, and how the others map to its own.
   * @throws UserError naming the key that is wrong
   */
  parse(keys: Readonly<Record<string, unknown>>, environment: JobEnvironment): Options
  /** Regular expressions of the keys that Qanat sets itself: a template may not. */
  readonly owned: readonly string[]
  /** What editors tell of templates of this runner. */
  readonly description: string
  /** The runner's own keys, for editors; null where it has none. */
  readonly keys: {
    readonly pattern: RegExp
    /** What such a key is, after "a key of every runner, or". */
    readonly name: string
    readonly value: JsonSchema
  } | null
  /** What this runner asks of the keys of every runner, for editors. */
  readonly shared: Readonly<Record<string, JsonSchema>>
}
