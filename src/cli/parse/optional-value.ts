/**
 * Gives an option an empty value if it stands without one: at the end, or before another option of the command.
 * @param options of the command, by their names
 * @param isValue whether the next word may be the value; otherwise it is an argument
 */
export function withOptionalValue(
  argv: readonly string[],
  option: string,
  options: Readonly<Record<string, { readonly char?: string | undefined }>>,
  isValue: (word: string) => boolean = () => true,
): string[] {
  const names = [...Object.keys(options), 'json', 'help'].map(name => `--${name}`)
  const letters = Object.values(options).flatMap(({ char }) => (char === undefined ? [] : `-${char}`))
  const isOption = (word: string) => names.includes(word.split('=')[0]!) || letters.includes(word.slice(0, 2))
  return argv.map((word, at) => {
    const next = argv[at + 1]
    return word === option && (next === undefined || isOption(next) || !isValue(next)) ? `${option}=` : word
  })
}
