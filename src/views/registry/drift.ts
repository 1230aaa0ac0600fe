import type { Drift } from '../../operations/registry/drift.js'

/** The differences between a file and what is registered, one a line. */
export function driftText({ kind, name, file, keys, problem }: Drift): string {
  const width = Math.max(0, ...keys.map(({ key }) => key.length))
  const lines = keys.flatMap(({ key, inFile, registered }) => [
    `  ${key.padEnd(width)}  file        ${valueText(inFile)}`,
    `  ${''.padEnd(width)}  registered  ${valueText(registered)}`,
  ])
  const what =
    problem === null
      ? `${file} and what is registered of the ${kind} ${name} differ:`
      : `${file} describes the ${kind} ${name}, but cannot be registered: ${problem}`
  return [what, ...lines].join('\n')
}

/** For programs. */
export function driftJson({ kind, name, file, keys, problem }: Drift): object {
  const differing = keys.map(({ key, inFile, registered }) => ({
    key,
    in_file: inFile ?? null,
    registered: registered ?? null,
  }))
  return { kind, name, file, differing, problem }
}

function valueText(value: unknown): string {
  if (value === undefined || value === '') return '(nothing)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
