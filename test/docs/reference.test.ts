import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { manPages } from '../../bin/docs/man.mjs'
import { reference } from '../../bin/docs/reference.mjs'

const folder = 'docs/reference'
const isWritten = (text: string) => text.includes('<!-- Written by npm run docs. -->')

test('the reference says what the program is: if not, call npm run docs', async () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
  const texts = pages.map(name => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const)
  const written = texts.filter(([, text]) => isWritten(text))
  expect(Object.fromEntries(written)).toEqual(await reference())
})

test('each man page is installed, and is of lines that roff takes for texts or for commands that it knows', async () => {
  const pages = Object.entries(await manPages())
  const { man } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(pages.map(([name]) => `dist/man/${name}`).sort()).toEqual(man)
  for (const [name, text] of pages) {
    const commands = text.split('\n').filter(line => /^[.']/.test(line))
    expect([name, commands.filter(line => !/^\.(TH|SH|TP|B|PP|nf|fi|RS|RE)\b/.test(line))]).toEqual([name, []])
    expect(text).toMatch(/^\.TH QANAT\S* 1 /)
  }
})
