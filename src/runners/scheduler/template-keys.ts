import { UserError } from '../../errors.js'

/** What one of our own keys of a template becomes in the scheduler's words, and which of its words say the same. */
export interface MappedKey {
  /** As the user writes it: `resources.cpus`. */
  readonly key: string
  /** False where the template does not give it. */
  readonly given: boolean
  readonly sameAs: readonly string[]
}

/**
 * Refuses what a template says twice: in our words and in the scheduler's.
 * @param keys of the scheduler that the template gives
 * @throws UserError that names both
 */
export function refuseTwice(mapped: readonly MappedKey[], keys: readonly string[]): void {
  for (const { key, given, sameAs } of mapped) {
    const other = keys.find(candidate => sameAs.includes(candidate))
    if (given && other) {
      throw new UserError(`the submit template says the same twice: ${other} and ${key}`, 'give one of them')
    }
  }
}

/** @throws UserError for a key that is set by this program */
export function refuseOwned(keys: readonly string[], owned: Readonly<Record<string, string>>): void {
  const key = keys.find(candidate => Object.hasOwn(owned, candidate))
  if (key === undefined) return
  throw new UserError(`the submit template sets ${key}, which Qanat sets itself: ${owned[key]}`, `leave ${key} out`)
}

/** Words of a value that a scheduler takes as it is written. @throws UserError for a mapping */
export function plainValue(key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new UserError(`the submit template gives ${key} a value that is no text`, 'write a word, a number, or a list')
}
