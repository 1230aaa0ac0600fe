/**
 * Names of which no two are alike, whatever their case, as the columns of a table in SQL: a name that is taken gets a number,
 * `acc_2`.
 * @param taken names that none of them may have
 */
export function uniqueNames(names: readonly string[], taken: readonly string[] = []): string[] {
  const known = new Set(taken.map(name => name.toLowerCase()))
  return names.map(name => {
    let unique = name
    for (let number = 2; known.has(unique.toLowerCase()); number++) unique = `${name}_${number}`
    known.add(unique.toLowerCase())
    return unique
  })
}
