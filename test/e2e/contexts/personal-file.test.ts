import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { outcomeOf } from '../program.js'
import { type Folder, projectWith } from '../project.js'
import { openTerminal } from '../terminal.js'

const given = ['--host', 'hpc', '--root', '/scratch'] as const

/** A project whose user has a home of its own, and the personal file there. */
async function project(): Promise<{ folder: Folder; file: string }> {
  const folder = await projectWith('echo said\n')
  const home = join(folder.path, '.git/home')
  Object.assign(folder.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
  return { folder, file: join(home, 'qanat/contexts.yaml') }
}

test('projects that add contexts at the same time lose none, and one is used, copied, edited and deleted', async () => {
  const [{ folder, file }, other] = await Promise.all([project(), project()])
  Object.assign(other.folder.environment, { XDG_CONFIG_HOME: folder.environment.XDG_CONFIG_HOME })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const adding = names.map((name, at) => [folder, other.folder][at % 2]!.start(['context', 'add', name, ...given]))
  expect((await Promise.all(adding.map(outcomeOf))).map(({ code, stderr }) => [code, stderr])).toEqual(
    names.map(() => [0, '']),
  )
  const listed = await folder.json('context', '--json')
  expect(listed.contexts.map(({ name }: { name: string }) => name)).toEqual(names)

  await folder.qanat('context', 'use', 'c')
  expect((await folder.json('context', '--json')).contexts.filter(({ used }: { used: boolean }) => used)).toMatchObject(
    [{ name: 'c', connected: false }],
  )
  const refused = await folder.qanat('run', 'it')
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('qanat context login c')])
  await folder.qanat('context', 'use', 'here')
  expect(await folder.qanat('run', 'it')).toMatchObject({ code: 0 })
  expect((await folder.qanat('context', 'use', 'hpc')).stderr).toContain("no context 'hpc'")

  await folder.qanat('context', 'copy', 'c', 'long')
  folder.environment.EDITOR = join(dirname(file), 'editor')
  const edit = async (command: string) => {
    writeFileSync(folder.environment.EDITOR!, `#!/bin/sh\n${command}\n`)
    chmodSync(folder.environment.EDITOR!, 0o755)
    const terminal = openTerminal(folder, 'context', 'edit', 'long')
    return [await terminal.ended, terminal.shown()]
  }
  const before = readFileSync(file, 'utf8')
  const [wrong, screen] = await edit(`echo '  rot: 3' >>"$1"`)
  expect([wrong, readFileSync(file, 'utf8')]).toEqual([2, before])
  expect(screen).toMatch(/long\.rot: unknown key/)
  const [late, said] = await edit(`echo '# mine' >>"$1"; echo '# of another' >>'${file}'`)
  expect([late, readFileSync(file, 'utf8')]).toEqual([2, `${before}# of another\n`])
  const kept = /your text is in (\S+)/.exec(String(said).replaceAll('\r\n', ''))![1]!
  expect(readFileSync(kept, 'utf8')).toBe(`${before}# mine\n`)
  rmSync(dirname(kept), { recursive: true })
  writeFileSync(file, before)
  expect((await edit(`printf '  runner: slurm # mine\n' >>"$1"`))[0]).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(`${before}  runner: slurm # mine\n`)
  expect((await folder.qanat('context', 'show', 'long')).stdout).toContain('runner: slurm')
  await folder.qanat('context', 'delete', 'long')
  expect(readFileSync(file, 'utf8')).not.toContain('long')
})

test('a broken context is named where it is used, and disturbs nothing else', async () => {
  const { folder, file } = await project()
  folder.write('.git/keys.yaml', 'lab:\n  host: lab\n  root: /lab\n  local: {default: {resources: {cpus: 2}}}\n')
  expect(await folder.qanat('context', 'add', 'lab', '-f', '.git/keys.yaml', '--root', '/other')).toMatchObject({
    code: 0,
  })
  expect(readFileSync(file, 'utf8')).toContain('root: /other')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${readFileSync(file, 'utf8')}odd:\n  host: 3\n`)
  const mistake = `${file}:9:9: odd.host: expected text`
  const { stdout } = await folder.qanat('context')
  expect(stdout).toMatch(/^lab .*\/other/m)
  expect(stdout).toContain(`odd cannot be used: ${mistake}`)
  expect((await folder.qanat('--context', 'odd', 'run', 'it')).stderr).toContain(mistake)
  folder.environment.QANAT_CONTEXT = 'odd'
  expect(await folder.qanat('runs')).toMatchObject({ code: 0, stderr: '' })
  expect((await folder.qanat('run', 'it')).stderr).toContain(mistake)
  expect((await folder.qanat('--context=here', 'run', 'it')).code).toBe(0)
  const runs = async (context: string) => (await folder.json('runs', '--context', context, '--json')).runs.length
  expect([await runs('here'), await runs('lab'), await runs('lab,here')]).toEqual([1, 0, 1])
  const nowhere = await folder.qanat('--context', 'lab', 'config', 'show')
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--context')])
  expect(existsSync(join(folder.path, 'results/it/run_1'))).toBe(true)
})
