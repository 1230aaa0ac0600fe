// skips.js REPORT: names the tests that vitest's report of a suite calls skipped. Fails where one of them is not in
// .ci/may-skip, and where nothing was run at all.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const tests = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ fullName, status }) => ({ name: `${relative('.', name)} > ${fullName}`, status })),
)
const allowed = readFileSync(new URL('may-skip', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split(/ {2,}/))

let failed = !tests.some(({ status }) => status === 'passed')
for (const { name } of tests.filter(({ status }) => status !== 'passed')) {
  const [, reason] = allowed.find(([pattern]) => new RegExp(pattern).test(name)) ?? []
  console.log(reason ? `skipped: ${name}: ${reason}` : `skipped, which is not allowed here: ${name}`)
  failed ||= !reason
}
process.exitCode = failed ? 1 : 0
