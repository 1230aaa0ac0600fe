import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError, paths, traces } from '../e2e/expectations.js'
import { awaits, Folder, open, projectWith, until } from '../e2e/project.js'

const value = `k3y '"\\\n$(touch evil) é☃ end`

/** A project whose script says how long its secret is; the template `both` also has one that a command prints. */
async function secretProject(): Promise<Folder> {
  const folder = await projectWith('printf %s "$WANDB_API_KEY" | wc -c; eval "$1"\n')
  const both = "{secrets: {WANDB_API_KEY: {}, TOKEN: {command: [cat, key.txt]}}, setup: ':'}"
  folder.write('.qanat/config.yaml', `local: {default: {secrets: [WANDB_API_KEY]}, both: ${both}}\n`)
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
  return own.filter(
    name => lstatSync(join(folder.path, name)).isFile() && texts.some(each => folder.read(name).includes(each)),
  )
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
    const shown = await folder.shell(`qanat run_show 1 --json; qanat experiment status it --json
      qanat sql 'select * from runs' --json; cat /proc/[0-9]*/cmdline 2>/dev/null`)
    for (const { stdout, stderr } of [dry, launched, shown])
      expect(stdout + stderr).not.toMatch(/touch evil|printed-t0ken/)
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
})
