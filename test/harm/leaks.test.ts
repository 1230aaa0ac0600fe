import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectError, paths, traces } from '../e2e/expectations.js'
import { awaits, Folder, open, projectWith, until } from '../e2e/project.js'

const value = `k3y '"\\\n$(touch evil) é☃ end`

/** A project whose script says how long its secret is; the template also has one that a command prints. */
async function secretProject(script = 'printf %s "$WANDB_API_KEY" | wc -c; eval "$1"\n'): Promise<Folder> {
  const folder = await projectWith(script)
  const templates = `local:
  default: {secrets: [WANDB_API_KEY]}
  both: {secrets: {WANDB_API_KEY: {}, TOKEN: {command: [cat, key.txt]}}, setup: ':'}
  broken: {secrets: {TOKEN: {command: [sh, -c, 'echo no key here >&2; exit 3']}}}
  silent: {secrets: {TOKEN: {command: [sh, -c, 'exit 3']}}}
  named: {secrets: [constructor]}
  killed: {secrets: {TOKEN: {command: [sh, -c, 'kill -9 $$']}}}
  large: {secrets: {TOKEN: {command: [printf, '%0131066d', '1']}}}
  largest: {secrets: {TOKEN: {command: [printf, '%0131065d', '1']}}}
`
  folder.write('.qanat/config.yaml', templates)
  folder.write('.gitignore', `${folder.read('.gitignore')}/key.txt\n`)
  folder.write('key.txt', 'printed-t0ken\n')
  folder.commit()
  return folder
}

/** The files of a project that contain a text, as it is or as in JSON. */
function holding(folder: Folder, text: string): string[] {
  const texts = [text, JSON.stringify(text).slice(1, -1), text.split('\n').at(-1)!]
  // The frozen copy has links to what git ignores.
  const own = paths(folder).filter(name => !name.startsWith('.qanat/cache/'))
  return own.filter(name => {
    try {
      const bytes = readFileSync(join(folder.path, name), 'utf8')
      return texts.some(each => bytes.includes(each))
    } catch {
      return false
    }
  })
}

describe('the value of a secret', () => {
  test('is in one private file while the run is live, and nowhere after it', async () => {
    const folder = await secretProject()
    folder.environment.WANDB_API_KEY = value
    const dry = await folder.qanat('run', '--dry-run', 'it')
    const launched = await folder.qanat('run', '--detach', '--submit_template', 'both', 'it', `${awaits('end')}`)
    expect([launched.code, launched.stderr]).toEqual([0, ''])
    const output = 'results/it/run_1/stdout.txt'
    await until(() => folder.has(output) && folder.read(output))
    expect(Number(folder.read(output))).toBe(Buffer.byteLength(value))
    const secrets = 'results/it/run_1/.run/secrets'
    const quoted = value.split('\n')[1]!
    expect(holding(folder, quoted)).toEqual([secrets])
    expect(holding(folder, 'printed-t0ken')).toEqual(['key.txt', secrets])
    const shown = await Promise.all([
      folder.qanat('run_show', '1', '--json'),
      folder.qanat('experiment', 'status', 'it', '--json'),
      folder.qanat('sql', 'select * from runs', '--json'),
    ])
    for (const { stdout, stderr } of [dry, launched, ...shown]) {
      expect(stdout + stderr).not.toContain('touch evil')
      expect(stdout + stderr).not.toContain('printed-t0ken')
    }
    expect((await folder.shell('cat /proc/[0-9]*/cmdline 2>/dev/null')).stdout).not.toContain('touch evil')
    open(folder, 'end')
    await folder.qanat('run_wait', '1')
    expect(paths(folder)).not.toContain(secrets)
    expect([holding(folder, quoted), holding(folder, 'printed-t0ken')]).toEqual([[], ['key.txt']])
    expect(paths(folder).filter(name => name.endsWith('evil'))).toEqual([])
  })

  test('is taken anew by run_retry and rerun, and gone with a run that is deleted', async () => {
    const folder = await secretProject()
    folder.environment.WANDB_API_KEY = 'twelve chars'
    await folder.qanat('run', 'it', 'false')
    expect(Number(folder.read('results/it/run_1/stdout.txt'))).toBe(12)
    folder.environment.WANDB_API_KEY = 'more than twelve'
    await folder.qanat('run_retry', '1')
    expect(Number(folder.read('results/it/run_1/stdout.txt'))).toBe(16)
    await folder.qanat('rerun', '1')
    expect(Number(folder.read('results/it/run_2/stdout.txt'))).toBe(16)
    const outside = new Folder()
    await folder.qanat('run', '--detach', '--storage_path', join(outside.path, 'run'), 'it', awaits('never'))
    expect(paths(outside)).toContain('run/.run/secrets')
    await folder.qanat('run_delete', '3', '--yes')
    expect(paths(outside)).not.toContain('run/.run/secrets')
    expect(paths(folder).filter(name => name.endsWith('.run/secrets'))).toEqual([])
    delete folder.environment.WANDB_API_KEY
    const results = () => traces(folder).filter(name => /^results\//.test(name))
    const before = results()
    expectError(await folder.qanat('rerun', '1'), 2, 'it needs the secret WANDB_API_KEY', 'export WANDB_API_KEY=')
    expect(results()).toEqual(before)
  })

  test.each([
    ['default', {}, 2, 'submit template default: it needs the secret WANDB_API_KEY, and this variable is not set'],
    ['default', { WANDB_API_KEY: '' }, 2, 'it needs the secret WANDB_API_KEY'],
    ['named', {}, 2, 'it needs the secret constructor, and this variable is not set'],
    ['broken', {}, 1, 'the command of the secret TOKEN ended with code 3: no key here'],
    ['silent', {}, 1, 'the command of the secret TOKEN ended with code 3\n'],
    ['killed', {}, 1, 'the command of the secret TOKEN was killed\n'],
    ['large', {}, 2, 'the secret TOKEN is larger than 128 kB, the most that a variable can have'],
    ['both', { WANDB_API_KEY: 'a' }, 2, 'the secret TOKEN is not UTF-8 text without NUL'],
  ])('that template %s cannot have is an error before anything is made', async (template, variables, code, message) => {
    const folder = await secretProject()
    Object.assign(folder.environment, variables)
    writeFileSync(join(folder.path, 'key.txt'), 'a\0b')
    const before = paths(folder)
    expectError(await folder.qanat('run', '--submit_template', template, 'it'), code, message)
    expect(paths(folder)).toEqual(before)
    const next = await folder.json('run', '--submit_template', template, '--dry-run', '--json', 'it')
    expect(next.groups[0].command.at(-1)).toMatch(/run_1$/)
  })

  test('may be as large as a variable can be', async () => {
    const folder = await secretProject('printf %s "$TOKEN" | wc -c\n')
    await folder.qanat('run', '--submit_template', 'largest', 'it')
    expect(Number(folder.read('results/it/run_1/stdout.txt')) + 'TOKEN='.length).toBe(131_071)
  })

  test('that a script has printed is found by doctor, which does not show it', async () => {
    const folder = await secretProject()
    folder.environment.WANDB_API_KEY = value
    const says = async (code: number, text: string) => {
      const outcome = await folder.qanat('doctor', '--secrets')
      expect([outcome.code, outcome.stdout]).toEqual([code, expect.stringContaining(text)])
      expect(outcome.stdout).not.toContain('touch evil')
    }
    await says(0, 'no run was launched with a template that names')
    await folder.qanat('run', 'it', 'echo fine')
    await says(0, 'none of the known values is in the files of 1 run')
    await folder.qanat('run', 'it', 'echo; printenv WANDB_API_KEY >"$QANAT_STORAGE_PATH/log.txt"')
    await says(1, 'the value of WANDB_API_KEY is in results/it/run_2/log.txt:1')
    const database = new Database(join(folder.path, '.qanat/database.db'))
    onTestFinished(() => void database.close())
    database.pragma('journal_mode = WAL')
    database.prepare('UPDATE runs SET description = ?').run(value)
    const inDatabase = async () => (await folder.qanat('doctor', '--secrets')).stdout.match(/ is in \.qanat\/.*/g)
    expect(await inDatabase()).toEqual([' is in .qanat/database.db-wal'])
    database.pragma('wal_checkpoint(TRUNCATE)')
    expect(await inDatabase()).toEqual([' is in .qanat/database.db'])
    delete folder.environment.WANDB_API_KEY
    const unknown = (await folder.qanat('doctor', '--secrets')).stdout
    expect(unknown).toContain('WANDB_API_KEY cannot be searched for')
    expect(unknown).not.toContain('none of the known values')
  })
})
