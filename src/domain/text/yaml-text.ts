/**
 * Writes the YAML of a run's own files. A library would be too slow: a run has up to 100,000 groups, and these files
 * are written at every launch. Only strings, lists of strings and flat mappings are needed.
 */

const plain = /^(?:--?[A-Za-z]|[A-Za-z_]|\.{0,2}\/)[\w/.=+-]*(?: [\w/.=+-]+)*$/
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i
// Characters that YAML requires to be escaped inside double quotes.
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

/** A scalar that every YAML reader reads as exactly this string. */
export function yamlString(text: string): string {
  if (plain.test(text) && !reserved.test(text)) return text
  return JSON.stringify(text).replace(unprintable, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Block lines of a mapping of options to a value or a list of values; `{}` if it is empty. */
export function yamlParameters(
  parameters: Readonly<Record<string, string | readonly string[]>>,
  indent: string,
): string {
  let lines = ''
  for (const name in parameters) {
    const value = parameters[name]!
    const text = typeof value === 'string' ? yamlString(value) : `[${value.map(yamlString).join(', ')}]`
    lines += `${indent}${yamlString(name)}: ${text}\n`
  }
  return lines === '' ? ' {}\n' : `\n${lines}`
}
