// Prints how large the program and its tests are, in lines of the files that git tracks: npm run size
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const linesOf = path => readFileSync(path, 'latin1').split('\n').length - 1
const below = folder => files.filter(path => path.startsWith(folder))
const total = paths => paths.reduce((sum, path) => sum + linesOf(path), 0)

const fixtures = below('test/fixtures/')
const mutants = below('test/mutants/')
const tests = below('test/').filter(path => !fixtures.includes(path) && !mutants.includes(path))
const long = [...below('src/'), ...below('bin/'), ...tests].filter(
  path => /\.([cm]?[jt]s|sh)$/.test(path) && linesOf(path) > 300,
)

console.log(`src                     ${total(below('src/'))} lines, ${below('src/').length} files`)
console.log(`tests without fixtures  ${total(tests)} lines, ${tests.length} files`)
console.log(`planted faults          ${total(mutants)} lines, ${mutants.length} files`)
console.log(`fixtures                ${total(fixtures)} lines, ${fixtures.length} files`)
console.log(`files over 300 lines    ${long.length}${long.map(path => `\n  ${path}`).join('')}`)
