import { distance } from '../text/distance.js'

/** Something in a line that was probably meant otherwise, with the line that was meant; null if that is not known. */
export interface Doubt {
  readonly text: string
  readonly line: string | null
}

/** An option that was given, another one that is one or two letters off, and whether all earlier runs had that or most. */
export interface Slip {
  readonly given: string
  readonly meant: string
  readonly had: 'all' | 'most'
}

/**
 * The parameters that no earlier run had, and that are probably misspelt: near to one that most of these had, and that is not there
 * now. Short names are near only for one letter, and the shortest for none.
 * @param earlier the names of the parameters of each
 */
export function slipsIn(names: readonly string[], earlier: readonly (readonly string[])[]): Slip[] {
  const counts = new Map<string, number>()
  for (const name of earlier.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const usual = [...counts].filter(([name, count]) => count > earlier.length / 2 && !names.includes(name))
  return names
    .filter(name => !counts.has(name) && !isPositional(name))
    .flatMap(given => {
      const near = usual.find(([name]) => !isPositional(name) && isNear(given, name))
      return near ? [{ given, meant: near[0], had: near[1] === earlier.length ? 'all' : 'most' }] : []
    })
}

/** Whether two options are so few letters off that one is probably the other, misspelt. */
export function isNear(one: string, other: string): boolean {
  const [short, long] = [one, other].map(name => name.replace(/^--?/, '')).sort((a, b) => a.length - b.length)
  const most = Math.min(2, Math.floor(short!.length / 3))
  return long!.length - short!.length <= most && distance(short!, long!) <= most
}

function isPositional(name: string): boolean {
  return /^pos_\d+$/.test(name)
}
