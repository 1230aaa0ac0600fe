import { readShipped } from '../../system/shipped.js'

export const shells = ['bash', 'zsh', 'fish']

/** The text that makes a shell complete the words of `qanat`. @param shell one of {@link shells} */
export function completionScript(shell: string): string {
  return readShipped(`qanat.${shell}`)
}
