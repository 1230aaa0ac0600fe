import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readerComplaint, schemas } from '../project/schema-pairs.js'
import { blocksOf, pages, partsOf, read } from './page.js'
import { places } from './projects.js'

/** Why the commands of a page are not tried, and on how many pages at most. */
const reasons: Readonly<Record<string, number>> = {
  // Such a page has no commands with outputs: `testPage` says so.
  'no commands': 100,
}

/** Pages with commands that need the network or change the machine: test/package tries them. */
const installing = ['README.md', 'docs/how-to/install.md']

const languages = ['console', 'css', 'csv', 'html', 'ini', 'json', 'latex', 'python', 'sql', 'text', 'yaml', 'sh']

/** What an example may leave out of a file of that kind. */
const required: Readonly<Record<string, string>> = {
  experiment: 'name: it\nexecutable: it.sh\n',
  dataset: 'name: data\npath: data\n',
  document: 'name: paper\npath: paper\ncompile_script: compile.sh\n',
}

const blocks = pages.flatMap(path =>
  blocksOf(read(path)).map(block => ({ ...block, path, at: `${path}:${block.line}` })),
)

test('each page is typed in a project that there is, or says why in none', () => {
  const named = pages.flatMap(path => partsOf(read(path)).map(({ project }) => project))
  const none = named
    .filter(project => !(project in places))
    .map(project => /^none: (.*)$/.exec(project)?.[1] ?? project)
  const wrong = none.filter(reason => none.filter(other => other === reason).length > (reasons[reason] ?? 0))
  expect(wrong).toEqual([])
})

test('each block of code has a language, and those of shells write a file or show what is printed', () => {
  const isRight = ({ fence, path }: (typeof blocks)[number]) => {
    const [language = '', ...file] = fence.split(' ')
    return languages.includes(language) && (language !== 'sh' || file.length === 1 || installing.includes(path))
  }
  expect(blocks.filter(block => !isRight(block)).map(({ at, fence }) => `${at}: ${fence || 'no language'}`)).toEqual([])
})

/** The kind of file of a block, from its first line: `# experiment: train.yaml` or `# experiment`. */
const kindOf = (text: string) => /^# ([a-z]+)(: \S+)?\n/.exec(text)?.[1] ?? ''

test('each block of YAML says in its first line what it is, and both the program and editors take it', () => {
  const complaints = blocks.flatMap(({ fence, text, at }) => {
    if (!/^yaml\b/.test(fence)) return []
    const kind = kindOf(text)
    if (!(kind in schemas)) return `${at}: the first line is not one of: # ${Object.keys(schemas).join(', # ')}`
    const left = (required[kind] ?? '')
      .split('\n')
      // An experiment may make a dataset, in place of a path.
      .filter(line => !new RegExp(`^${line.split(':')[0]!.replace('path', '(path|from)')}:`, 'm').test(text))
    const complaint = readerComplaint(kind, `${text}\n${left.join('\n')}`)
    return complaint ? `${at}: ${complaint}` : []
  })
  expect(complaints).toEqual([])
})

describe('what a page shows', () => {
  test('of Python can be parsed', () => {
    const scripts = blocks.filter(({ fence }) => /^python\b/.test(fence)).map(({ text }) => text)
    const code = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'
    const { stderr } = spawnSync('python3', ['-c', code], { input: JSON.stringify(scripts), encoding: 'utf8' })
    expect(stderr).toBe('')
  })

  test('of JSON can be parsed', () => {
    for (const { fence, text, at } of blocks) if (/^json\b/.test(fence)) expect(() => parse(text), at).not.toThrow()
  })
})
