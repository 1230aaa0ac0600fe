import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { templateKeys } from '../src/project/templates/template-schema.js'
import { Folder } from './e2e/project.js'
import { schemas } from './project/schema-pairs.js'

const readme = readFileSync('README.md', 'utf8')

function blocks(language: string): string[] {
  return Array.from(readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm')), match => match[1]!)
}

/** The text without what differs from one time and place to another. */
function timeless(text: string): string {
  return (
    text
      .replace(/\S*\/iris\b/g, '~/iris')
      .replace(/\b[0-9a-f]{7,40}\b/g, 'COMMIT')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?|\d\d:\d\d:\d\d/g, 'TIME')
      .replace(/\d+(\.\d+)? s\b/g, 'DURATION')
      // On a busy machine groups take long enough for a look at their memory.
      .replace(/ Memory(?= +CPU time)|(?<=DURATION *) \d+(\.\d+)? [KMG](?= )/g, '')
      .replace(/(?<=DURATION {2,})\S+(?= +--bins)/g, 'HOST')
      // It is that of the machine, and on a busy one it may come late.
      .replace(/^Environment: .*\n/gm, '')
      // Scripts may print paths.
      .replace(/(?<=^Left: \d+ files, ).*/gm, 'SIZE')
      .replace(/ +/g, ' ')
      .trim()
  )
}

/** A project with the files of the example. */
async function irisProject(): Promise<Folder> {
  const folder = new Folder()
  cpSync('examples/iris', folder.path, { recursive: true })
  folder.git('init', '--quiet')
  folder.commit()
  await folder.qanat('init', '--yes')
  return folder
}

describe('the README', () => {
  // It takes as long as a tenth of all that npm test does.
  test.runIf(process.env.ALL_CASES)('shows what the demo prints', () => {
    const shown = blocks('console')[0]!
    const [printed, kept] = execFileSync('sh', ['examples/iris/demo.sh', '--keep'], { encoding: 'utf8' }).split(
      '\nThe project is kept in ',
    )
    const folder = /^(\S+)\. Try there/.exec(kept!)![1]!
    expect(existsSync(join(folder, '.qanat/database.db'))).toBe(true)
    rmSync(dirname(folder), { recursive: true })
    expect(timeless(printed!)).toBe(timeless(shown))
  })

  test('shows commands that work, one after the other, on the example', async () => {
    const folder = await irisProject()
    const tour = blocks('sh').flatMap(block => block.split('\n').filter(line => line.startsWith('qanat ')))
    expect(tour.length).toBeGreaterThan(10)
    for (const command of tour) {
      const { code, stdout, stderr } = await folder.qanat(...wordsOf(command))
      // By then the run that is to be cancelled is over.
      const expected = command.includes('run_cancel') ? 2 : 0
      expect([command, code], stderr).toEqual([command, expected])
      const shown = blocks('console').find(block => block.startsWith(`$ ${command}\n`))
      if (shown) expect(stdout).toBe(shown.slice(`$ ${command}\n`.length))
    }
  })

  test('shows parameter files and settings that are valid', async () => {
    const folder = await irisProject()
    await folder.qanat('dataset', 'new', 'dataset.yaml')
    const files = ['experiment.yaml', 'report.yaml', 'narrowed.yaml', 'grid.yaml', '.qanat/config.yaml']
    for (const [at, path] of files.entries()) folder.write(path, blocks('yaml')[at]!)
    for (const line of ['experiment new experiment.yaml', 'experiment new narrowed.yaml', 'document new report.yaml'])
      expect([line, (await folder.qanat(...line.split(' '))).stderr]).toEqual([line, ''])
    const line = 'run --json --dry_run summary_iris -f grid.yaml --submit_template gpu_box'
    const dry = await folder.json(...line.split(' '))
    expect(dry.groups).toHaveLength(6)
  })
})

test('the README names every key of a template', () => {
  for (const key of Object.keys(templateKeys)) expect(readme).toMatch(new RegExp(`\\b${key}\\b(:|\`)`))
  const { properties } = schemas.template.definitions.template.properties.resources
  const sentence = /`resources` takes ([^.]*)\./.exec(readme)?.[1]
  expect([...(sentence ?? '').matchAll(/`([a-z_]+)`/g)].map(match => match[1])).toEqual(Object.keys(properties))
})

/** The words that a shell gives to `qanat` in a line. */
function wordsOf(line: string): string[] {
  const code = `qanat() { printf '%s\\0' "$@"; }\n${line}`
  return execFileSync('sh', ['-c', code], { encoding: 'utf8' }).split('\0').slice(0, -1)
}
