import type { JobEnvironment, Resources } from '../domain/job-environment.js'
import type { ImageBuild } from '../domain/pods/image-build.js'

/** A schema for editors: JSON Schema, draft 7, with the `errorMessage` and `patternErrorMessage` that editors know. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The runner's own keys of a submit template, besides those that are the same for every runner. */
export interface TemplateDialect<Options = unknown> {
  /**
   * Parses the runner's own keys, and maps the others to its options.
   * @throws UserError naming an invalid key
   */
  parse(keys: Readonly<Record<string, unknown>>, environment: JobEnvironment): Options
  /** What the runner's own keys ask for, as far as they are plain values, in the words of {@link Resources}. */
  asks(keys: Readonly<Record<string, unknown>>): Pick<Resources, 'cpus' | 'memory' | 'time'>
  /** The image that a launch has to build, which the key `image` names then; missing if the runner has no images. */
  build?(options: Options): ImageBuild | null
  /** Regular expressions for keys that Qanat sets itself, which a template must not set. */
  readonly owned: readonly string[]
  /** Description of this runner's templates, for editors. */
  readonly description: string
  /** The runner's own keys, for editors; null if it has none. */
  readonly keys: {
    readonly pattern: RegExp
    /** A name for these keys, after "a key of every runner, or". */
    readonly name: string
    readonly value: JsonSchema
  } | null
  /** Further constraints on the keys of every runner, for editors. */
  readonly shared: Readonly<Record<string, JsonSchema>>
}
