#!/usr/bin/env node
// Shows that the tests see faults. Each patch in this folder puts a fault into the program that would hurt a researcher without
// a word. This applies it to a copy of HEAD and runs its suites, one after the other until a test fails; without the faults,
// these tests have to pass.
//
//     node test/mutants/run.mjs            all patches
//     node test/mutants/run.mjs 07 lock    those whose names contain one of these texts
//     node test/mutants/run.mjs --check    only says whether they still apply
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const patches = import.meta.dirname
const root = resolve(patches, '../..')
const words = process.argv.slice(2)
const parts = words.filter(word => !word.startsWith('--'))
const names = readdirSync(patches)
  .filter(name => name.endsWith('.patch') && (parts.length === 0 || parts.some(part => name.includes(part))))
  .map(name => name.replace(/\.patch$/, ''))
const temporary = mkdtempSync(join(tmpdir(), 'qanat-mutants-'))
const copy = join(temporary, 'copy')
execFileSync('git', ['clone', '--quiet', '--shared', root, copy])
try {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const bad = words.includes('--check') ? names.filter(name => !applies(name, '--check')) : unseen()
  console.log(bad.length === 0 ? `all ${names.length} are fine` : `${bad.length} of ${names.length}: ${bad.join(' ')}`)
  process.exitCode = Number(bad.length > 0 || names.length === 0)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** The names of the patches that no test sees, or only one that fails without the fault, too. */
function unseen() {
  const seen = names.flatMap(name => {
    const test = applies(name) ? testThatSees(name) : null
    git('checkout', '--quiet', '--', '.')
    return test === null ? [] : { name, ...test }
  })
  const configs = [...new Set(seen.map(({ config }) => config))]
  const sound = configs.flatMap(config => soundOf(seen.filter(test => test.config === config)))
  for (const test of seen)
    if (!sound.includes(test)) console.log(`${test.name}: FAILS WITHOUT THE FAULT, TOO: ${test.title}`)
  return names.filter(name => !sound.some(test => test.name === name))
}

/** The tests that pass without any fault. @param tests of one configuration */
function soundOf(tests) {
  const titles = tests.map(({ title }) => title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const options = new Set(tests.flatMap(({ file, config }) => (config === '' ? [file] : [file, config])))
  const { results } = run([...options, `--testNamePattern=^(${titles.join('|')})$`], 0)
  const passed = results.filter(({ status }) => status === 'passed')
  return tests.filter(test => passed.some(({ file, title }) => file === test.file && title === test.title))
}

function applies(name, ...options) {
  const { status, stderr } = git('apply', '-C1', '--recount', ...options, join(patches, `${name}.patch`))
  if (status !== 0) console.log(`${name}: DOES NOT APPLY: ${firstLine(stderr)}`)
  return status === 0
}

/** The first test that fails in the suites of a patch that is applied; null if none does. */
function testThatSees(name) {
  const text = readFileSync(join(patches, `${name}.patch`), 'utf8')
  let tests = 0
  for (const [, suite] of text.matchAll(/^Suite: npx vitest run (.+)$/gm)) {
    const { results, count } = run(suite.split(' '))
    tests += count
    const failed = results.find(({ status }) => status === 'failed')
    if (!failed) continue
    console.log(`${name}: seen by ${failed.file} > ${failed.title}: ${firstLine(failed.failureMessages[0])}`)
    return { ...failed, config: /--config=\S+/.exec(suite)?.[0] ?? '' }
  }
  const isBuilt = spawnSync(process.execPath, ['build.js'], { cwd: copy, stdio: 'ignore' }).status === 0
  console.log(`${name}: ${isBuilt ? `NOT SEEN by ${tests} tests` : 'DOES NOT BUILD'}`)
  return null
}

/**
 * Runs tests with these options of Vitest, and all cases of properties. A test that hangs has failed after two minutes.
 * @returns one result a test; none if the program cannot be built, and none of a file that cannot be loaded
 */
function run(options, bail = 1) {
  const output = join(temporary, 'report.json')
  rmSync(output, { force: true })
  const limits = [`--bail=${bail}`, '--maxWorkers=2', '--testTimeout=120000']
  const report = ['--reporter=json', `--outputFile=${output}`]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...limits, ...report]
  spawnSync(process.execPath, vitest, { cwd: copy, env: { ...process.env, ALL_CASES: '1' }, stdio: 'ignore' })
  try {
    const { testResults, numTotalTests: count } = JSON.parse(readFileSync(output, 'utf8'))
    const resultsOf = ({ name, assertionResults }) =>
      assertionResults.map(result => ({ ...result, file: relative(copy, name), title: result.fullName }))
    return { results: testResults.flatMap(resultsOf), count }
  } catch {
    return { results: [], count: 0 }
  }
}

function git(...args) {
  return spawnSync('git', args, { cwd: copy, encoding: 'utf8' })
}

function firstLine(text) {
  return stripVTControlCharacters(text).trim().split('\n')[0].slice(0, 160)
}
