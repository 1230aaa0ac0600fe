import type { KnownWords } from './state.js'

/** What the last word of a filter line can become: the whole line, and the part that is shown. */
export interface Choice {
  readonly line: string
  readonly label: string
}

/** Choices for the last word of a filter line: names, then values; of values between commas for the last one. */
export function choicesOf(line: string, { values, parameters, metrics, sortings }: KnownWords): Choice[] {
  const start = Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t')) + 1
  const [before, word] = [line.slice(0, start), line.slice(start)]
  const [, name = '', given = ''] = /^([a-z]+):(.*)$/s.exec(word) ?? []
  const sorted = ['', '-'].flatMap(order => [...sortings, ...metrics].map(each => `${order}${each}`))
  const listed = name === 'sort' ? sorted : Object.hasOwn(values, name) ? values[name]! : null
  if (listed !== null) {
    const parts = given.split(',')
    const last = parts.pop()!
    const chosen = [`${name}:`, ...parts.map(part => `${part},`)].join('')
    return listed
      .filter(value => value.startsWith(last) && value !== last && !parts.includes(value))
      .map(value => ({ line: `${before}${chosen}${quotedIfNeeded(value)}`, label: value }))
  }
  const names = [
    ...Object.keys(values).map(each => `${each}:`),
    ...parameters.map(each => `${each}:`),
    ...metrics.map(each => `${each}>`),
    'sort:',
  ]
  return names
    .filter(each => each.startsWith(word) && each !== word)
    .map(each => ({ line: before + each, label: each }))
}

function quotedIfNeeded(value: string): string {
  return /[\s'"\\]/.test(value) ? `'${value.replaceAll("'", `'\\''`)}'` : value
}
