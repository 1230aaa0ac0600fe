import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { attendedProgram, attendingProgram, shellPodName } from '../../../src/domain/pods/terminal.js'

test('the pod of a shell lives as long as somebody is there, and is named after its folder', () => {
  const HOME = mkdtempSync(join(tmpdir(), 'qanat-attended-'))
  onTestFinished(() => rmSync(HOME, { recursive: true, maxRetries: 5 }))
  // Somebody is there the first three times that the pod has slept.
  const sleeps = `sleeps=0
sleep() { :; }
wait() { sleeps=$((sleeps + 1)); [ "$sleeps" -gt 3 ] || echo | sh -c "$ATTENDING"; }
`
  const script = `${sleeps}${attendedProgram}\necho "$sleeps"`
  const env = { ...process.env, HOME, ATTENDING: attendingProgram }
  expect(execFileSync('sh', ['-c', script], { env, encoding: 'utf8' })).toBe('9\n')
  expect(shellPodName('/scratch/project/.qanat/cache/shell_1a2b3c4d')).toBe('qanat-shell-1a2b3c4d')
})
