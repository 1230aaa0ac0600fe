import { readFileSync } from 'node:fs'
import { marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { shownIn } from '../sessions/session.js'
import { blocksOf, pages, read } from './page.js'

interface Surface {
  readonly commands: Readonly<Record<string, { readonly options: readonly { name: string }[] }>>
  readonly shortNames: Readonly<Record<string, string>>
  readonly topics: Readonly<Record<string, string>>
}

const { commands, shortNames, topics }: Surface = JSON.parse(readFileSync('dist/surface.json', 'utf8'))

/** Commands that pass on options which are not theirs. */
const passing = ['experiment run', 'experiment action']
/** What every command takes, and what stands in no list of commands. */
const common = ['help', 'version', 'no_emoji', 'quiet', 'json']

/** Lines that begin with `qanat` in the text and in the sessions of a page. */
function linesOf(page: string): string[] {
  const spans: string[] = []
  marked.walkTokens(marked.lexer(read(page)), token => {
    if (token.type === 'codespan') spans.push(token.text)
  })
  const sessions = blocksOf(read(page)).filter(({ fence }) => fence === 'console')
  const typed = sessions.flatMap(({ text }) =>
    shownIn(text)
      .filter(({ code }) => code < 2)
      .map(({ command }) => command),
  )
  return [...spans, ...typed].filter(line => /^qanat( |$)/.test(line))
}

/** What is wrong with a line: a command or an option that there is not. */
function wrongIn(line: string): string[] {
  const [first = '', second = ''] = line
    .split(/\s+/)
    .slice(1)
    .filter(word => !word.startsWith('-'))
  if (first === '' || first === 'help' || (first in topics && second === '')) return []
  const name = shortNames[first] ?? (first in commands ? first : `${first} ${second}`)
  const command = commands[name]
  if (command === undefined) return [line]
  if (passing.includes(name)) return []
  const options = [...command.options.map(option => option.name), ...common]
  // What stands in quotes, or behind an option that takes a parameter, is an option of the script.
  const own = line.replace(/'[^']*'|"[^"]*"|( -[xy]| --(?:by|facet|over|param|sort)) -\S+/g, '$1')
  const used = [...own.matchAll(/ --([a-z][\w-]*)/g)].map(match => match[1]!)
  return used.filter(option => !options.includes(option.replaceAll('-', '_'))).map(option => `${line}: --${option}`)
}

describe('commands and options that a page names exist', () => {
  test.each(pages)('%s', page => {
    expect(linesOf(page).flatMap(wrongIn)).toEqual([])
  })
})
