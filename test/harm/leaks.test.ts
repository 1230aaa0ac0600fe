import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { paths } from '../e2e/expectations.js'
import { awaits, type Folder, open, projectWith, until } from '../e2e/project.js'

const value = `k3y '"\\\n$(touch evil-secret) é☃ end`

/** The files of a project that contain a text, as it is or as in JSON. */
function holding(folder: Folder, text: string): string[] {
  const texts = [text, JSON.stringify(text).slice(1, -1), text.split('\n').at(-1)!]
  // The frozen copy has links to what git ignores.
  const own = paths(folder).filter(name => !name.startsWith('.qanat/cache/'))
  return own.filter(
    name => lstatSync(join(folder.path, name)).isFile() && texts.some(each => folder.read(name).includes(each)),
  )
}

test('the value of a secret is in one private file while the run is live, and nowhere after it', async () => {
  const folder = await projectWith('printf %s "$WANDB_API_KEY" | wc -c; eval "$1"\n', 'sh', { WANDB_API_KEY: value })
  const both = "{secrets: {WANDB_API_KEY: {}, TOKEN: {command: [cat, key.txt]}}, setup: ':'}"
  folder.write('.qanat/config.yaml', `local: {default: {secrets: [WANDB_API_KEY]}, both: ${both}}\n`)
  folder.write('.gitignore', `${folder.read('.gitignore')}/key.txt\n`)
  folder.write('key.txt', 'printed-t0ken\n')
  folder.commit()
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
  const shown = await folder.shell(`qanat run_show 1 --json; qanat experiment status it --json
      qanat sql 'select * from runs' --json; cat /proc/[0-9]*/cmdline 2>/dev/null`)
  for (const { stdout, stderr } of [dry, launched, shown])
    expect(stdout + stderr).not.toMatch(/touch evil-secret|printed-t0ken/)
  open(folder, 'end')
  await folder.qanat('run_wait', '1')
  expect(paths(folder)).not.toContain(secrets)
  expect([holding(folder, quoted), holding(folder, 'printed-t0ken')]).toEqual([[], ['key.txt']])
  expect(paths(folder).filter(name => name.endsWith('evil-secret'))).toEqual([])
})

test('doctor finds a secret that is only in the -wal file of the database', async () => {
  const folder = await projectWith('true', 'sh', { KEY: 'k3y-of-mine' })
  folder.write('.qanat/config.yaml', 'local: {default: {secrets: [KEY]}}\n')
  await folder.qanat('run', 'it')
  const database = new Database(join(folder.path, '.qanat/database.db'))
  onTestFinished(() => void database.close())
  database.pragma('journal_mode = WAL')
  database.exec("UPDATE runs SET description = 'k3y-of-mine'")
  const { code, stdout } = await folder.qanat('doctor', '--secrets')
  expect([code, stdout.match(/ is in \.qanat\/.*/g)]).toEqual([1, [' is in .qanat/database.db-wal']])
})
