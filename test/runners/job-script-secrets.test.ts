import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeSecrets, writeSecrets } from '../../src/runfolder/secrets/secrets-file.js'
import { anyWord, localShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { TaskRun } from './task.js'
import { ran, Worker } from './worker.js'

/** Values that a shell, or a reader of lines, would like to change. */
const values = {
  MULTI_LINE: '-----BEGIN KEY-----\nab/+=\n-----END KEY-----\n\n',
  HOSTILE: '\'"\\$(touch evil)`touch evil`${IFS}\n*&;|<> \t',
  NOT_ASCII: 'é☃\u{1f511}\x01\x7f\x81',
  ...Object.fromEntries(fc.sample(anyWord(), { numRuns: 40, seed: 8 }).map((value, at) => [`ANY_${at}`, `x${value}`])),
}
const names = Object.keys(values)
const secrets = new Map(Object.entries(values))
const declared = Object.fromEntries(names.map(name => [name, null]))

/** Writes the values of its variables as they are, and those that others have. */
const script = `for name in ${names.join(' ')}; do printenv "$name" | head -c -1; printf '\\0'; done >"$QANAT_STORAGE_PATH/values"\n`

function valuesIn(text: string | null): Record<string, string> {
  const found = (text ?? '').split('\0')
  return Object.fromEntries(names.map((name, at) => [name, found[at]!]))
}

describe.each(localShells)('the secrets of a group that %s runs', shell => {
  test.each([
    ['of a plain template', {}],
    ['of a template with shell lines', { setup: 'IFS=0; a=1' }],
  ])('arrive as they are in the script %s', async (_, environment) => {
    const worker = new Worker(shell, { script, environment: { ...environment, secrets: declared }, groups: [[], []] })
    writeSecrets(worker.plan.storagePath, 1, secrets)
    await worker.runAll()
    expect(worker.endOf(0)).toMatchObject({ code: 0, outcome: 'exit' })
    for (const index of [0, 1]) expect(valuesIn(worker.read(`group_${index}`, 'values'))).toEqual(values)
  })

  test('arrive in the job of a scheduler', async () => {
    const run = new TaskRun(shell, { script, environment: { secrets: declared } })
    writeSecrets(run.plan.storagePath, 1, secrets)
    expect(await run.run()).toBe(0)
    expect(valuesIn(run.read('values'))).toEqual(values)
  })

  test('are there for its shell lines', async () => {
    const environment = {
      secrets: { TOKEN: null },
      setup: 'echo "in setup: $TOKEN"',
      teardown: 'echo "at the end: $TOKEN"',
    }
    const worker = new Worker(shell, { environment })
    writeSecrets(worker.plan.storagePath, 1, new Map([['TOKEN', 't0ken']]))
    await worker.runAll()
    expect(worker.read('stdout.txt')).toBe('in setup: t0ken\nat the end: t0ken\n')
  })

  test.each([
    ['without shell lines', {}],
    ['with shell lines', { setup: ':' }],
  ])('are not given to the record of the environment, %s', async (_, environment) => {
    const bin = folderWith({ python3: '#!/bin/sh\n[ "$1" != -V ] || env >"$QANAT_PROJECT/asked"\n' })
    chmodSync(join(bin, 'python3'), 0o755)
    const worker = new Worker(shell, {
      environment: { ...environment, secrets: { TOKEN: null } },
      executableCommand: [join(bin, 'python3')],
    })
    writeSecrets(worker.plan.storagePath, 1, new Map([['TOKEN', 't0ken']]))
    await worker.runAll()
    const record = join(worker.path('.run/environments/1.n1'))
    await until(() => existsSync(record) && readFileSync(record, 'utf8').endsWith('end\n'))
    expect(readFileSync(join(worker.plan.projectRoot, 'asked'), 'utf8')).not.toContain('t0ken')
    expect(readFileSync(record, 'utf8')).not.toContain('t0ken')
  })

  test.each([
    ['of a plain template', {}],
    ['of a template with shell lines', { setup: ':' }],
  ])('that are gone fail the group before the script %s', async (_, environment) => {
    const worker = await ran(shell, { script: 'echo ran', environment: { ...environment, secrets: { TOKEN: null } } })
    expect(worker.endOf()).toMatchObject({ outcome: 'launch' })
    expect(worker.read('stderr.txt')).toContain('qanat run_retry takes them again')
    expect(worker.read('stdout.txt')).toBe('')
  })
})

test('secrets are in a file for the owner alone, whatever the umask, until they are removed', () => {
  const folder = folderWith({ '.run/plan': '' })
  const before = process.umask(0o000)
  writeSecrets(folder, 1, new Map([['TOKEN', 't0ken']]))
  process.umask(before)
  expect(statSync(join(folder, '.run/secrets')).mode & 0o777).toBe(0o600)
  removeSecrets(folder, [1, 2])
  expect(existsSync(join(folder, '.run/secrets'))).toBe(false)
  writeSecrets(folder, 1, new Map())
  expect(existsSync(join(folder, '.run/secrets'))).toBe(false)
})
