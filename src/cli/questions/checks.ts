import { checkNewName, type NamedKind } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'

/** Refuses an empty answer. @throws UserError */
export function refuseEmpty(answer: string): void {
  if (answer === '') throw new UserError('this cannot be empty')
}

/** Refuses what cannot be a name of that kind, and a name that another thing has. */
export function checkFreeName(kind: NamedKind, name: string, former: string | null, isTaken: boolean): void {
  if (name === former) return
  checkNewName(kind, name)
  if (isTaken) throw new UserError(`${kind} '${name}' already exists`)
}

/** The items of a list that is written with commas, each once. */
export function commaList(text: string): string[] {
  return [...new Set(text.split(',').map(word => word.trim()))].filter(word => word !== '')
}
