/**
 * Gives an option an empty value if it stands without one: at the end, or before another option of the command.
 * @param options of the command, by their names
 */
export function withOptionalValue(
  argv: readonly string[],
  option: string,
  options: Readonly<Record<string, unknown>>,
): string[] {
  const names = [...Object.keys(options), 'json', 'help'].map(name => `--${name}`)
  return argv.map((word, at) => {
    const next = argv[at + 1]
    return word === option && (next === undefined || names.includes(next.split('=')[0]!)) ? `${option}=` : word
  })
}
