import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeSecrets, secretsEntry } from '../../src/runfolder/secrets/secrets-file.js'
import { writeEntries } from '../../src/system/folders/entries.js'
import { anyWord, localShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { programsIn, type RunFolder } from './run-folder.js'
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

const token = { environment: { secrets: { TOKEN: null } } }
const templates = [{}, { setup: 'IFS=0; a=1' }]

/** A run with the file that holds its secrets. */
function withSecrets<Run extends RunFolder>(run: Run, values = new Map([['TOKEN', 't0ken']])): Run {
  writeEntries(run.plan.place.here, secretsEntry(1, values))
  return run
}

describe.each(localShells)('the secrets of a group that %s runs', shell => {
  test.each(templates)('arrive as they are in the script, with the template %j', async template => {
    const facts = { script, environment: { ...template, secrets: declared }, groups: [[], []] }
    const worker = withSecrets(new Worker(shell, facts), secrets)
    await worker.runAll()
    expect(worker.endOf(0)).toMatchObject({ code: 0, outcome: 'exit' })
    for (const index of [0, 1]) expect(valuesIn(worker.read(`group_${index}/values`))).toEqual(values)
    const run = withSecrets(new TaskRun(shell, facts), secrets)
    expect(await run.run({ index: 1 })).toBe(0)
    expect(valuesIn(run.read('group_1/values'))).toEqual(values)
  })

  test('are there for its shell lines', async () => {
    const lines = { setup: 'echo "in setup: $TOKEN"', teardown: 'echo "at the end: $TOKEN"' }
    const worker = withSecrets(new Worker(shell, { environment: { ...token.environment, ...lines } }))
    await worker.runAll()
    expect(worker.read('stdout.txt')).toBe('in setup: t0ken\nat the end: t0ken\n')
  })

  test.each(templates)('are not given to the record of the environment, with the template %j', async template => {
    const python = join(programsIn({ python3: '[ "$1" != -V ] || env >"$QANAT_PROJECT/asked"' }), 'python3')
    const environment = { ...template, ...token.environment }
    const worker = withSecrets(new Worker(shell, { environment, executableCommand: [python] }))
    await worker.runAll()
    const record = () => worker.read('.run/environments/1.n1') ?? ''
    await until(() => record().endsWith('end\n'))
    expect(worker.read('../../../asked')).toContain('QANAT_RUN_ID')
    expect(worker.read('../../../asked') + record()).not.toContain('t0ken')
  })

  test.each(templates)('that are gone fail the group before the script, with the template %j', async template => {
    const worker = await ran(shell, { script: 'echo ran', environment: { ...template, ...token.environment } })
    expect(worker.endOf()).toMatchObject({ outcome: 'launch' })
    expect(worker.read('stderr.txt')).toContain('qanat run_retry takes them again')
    expect(worker.read('stdout.txt')).toBe('')
  })
})

test('secrets are in a file for the owner alone, whatever the umask, until they are removed', () => {
  const folder = folderWith({ '.run/plan': '' })
  const before = process.umask(0o000)
  expect(writeEntries(folder, secretsEntry(1, new Map([['TOKEN', 't0ken']])))).toEqual([])
  process.umask(before)
  expect(statSync(join(folder, '.run/secrets')).mode & 0o777).toBe(0o600)
  for (const attempt of [1, 2]) removeSecrets(folder, attempt)
  expect(existsSync(join(folder, '.run/secrets'))).toBe(false)
  expect(secretsEntry(1, new Map())).toEqual([])
})
