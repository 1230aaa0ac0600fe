import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands, shortNames, topics } from '../../src/commands/index.js'
import { pageNamed, parseManual } from '../../src/views/manual/pages.js'

const pages = parseManual(readFileSync('dist/manual.json', 'utf8'))
const guides = pages.filter(({ section }) => section !== 'commands').map(({ topic }) => topic)

test('each page is shown by one word, which is not that of a command', () => {
  expect(guides.filter((topic, at) => guides.indexOf(topic) !== at)).toEqual([])
  const taken = [...Object.keys(commands), ...Object.keys(shortNames), ...Object.keys(topics)]
  expect(guides.filter(topic => taken.includes(topic))).toEqual([])
})

test('every page that the program names is there', () => {
  const files = (readdirSync('src', { recursive: true }) as string[]).filter(path => /\.(ts|js|sh)$/.test(path))
  const named = files.flatMap(path =>
    [...readFileSync(join('src', path), 'utf8').matchAll(/qanat help ([a-z][\w-]*)/g)].map(([, topic]) => topic!),
  )
  expect(named.filter(topic => pageNamed(pages, [topic]) === null)).toEqual([])
})

test('every page to which the help of a command leads is there', async () => {
  const named = Object.values(commands).map(async load => (await load()).default.topics)
  expect((await Promise.all(named)).flat().filter(topic => !guides.includes(topic))).toEqual([])
})
