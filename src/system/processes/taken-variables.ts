/** By their names. */
const taken = new Map<string, string>()

/**
 * Takes a variable out of the environment of this program, so that no program that it starts later inherits it.
 * @returns its value, also of a variable that was taken before; undefined if it was never set
 */
export function takeVariable(name: string): string | undefined {
  // The object also has names that are not variables, such as `constructor`.
  if (Object.hasOwn(process.env, name)) {
    taken.set(name, process.env[name]!)
    delete process.env[name]
  }
  return taken.get(name)
}
