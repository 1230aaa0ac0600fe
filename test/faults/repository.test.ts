import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectError } from '../e2e/expectations.js'
import { madeOnce } from '../e2e/made-once.js'
import { Folder, groups, shellProject } from '../e2e/project.js'
import { contents, victim } from './outside.js'

const reading = [
  ...['status --sizes', 'experiment list', 'experiment status it', 'dataset list', 'runs', 'run_show it 1', 'why it 1'],
  ...['run_logs it 1', 'config show', 'config get result_dir', 'cache status', 'experiment export it', 'run_wait it 1'],
]

/** Runs commands, which may be refused and do not fall. */
async function areCalm(project: Folder, folder: string, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { code, stderr } = await project.qanatIn(folder, ...line.split(' '))
    expect([0, 1, 2], line).toContain(code)
    expect([line, stderr]).toEqual([line, expect.not.stringMatching(/QANAT_DEBUG|^ {4}at /m)])
  }
}

/** A definition in which everything that is a command, or could be taken for one, makes a file. */
const definition = (pwn: string) => `name: evil
description: "$(${pwn})"
executable: it.sh
executable_command: sh -c '${pwn}'
tags: ["$(${pwn})", "; ${pwn}"]
actions: [{name: plot, executable: it.sh, executable_command: "${pwn}"}]
`

test("reading somebody else's repository runs no program that its settings, definitions or attributes name", async () => {
  const project = await shellProject()
  const pwn = `touch ${project.path}/pwned`
  await project.qanat('run', 'it', 'true')
  const template = `{setup: "${pwn}", teardown: "${pwn}", launcher: "sh -c '${pwn}'", background: ["${pwn}"], shell: /bin/sh -c "${pwn}"}`
  project.write('.qanat/config.yaml', `default_editor: sh -c "${pwn}"\nlocal:\n  default: ${template}\n`)
  project.write('.qanat/definitions/experiment/evil.yaml', definition(pwn))
  project.write('.gitattributes', '* filter=evil diff=evil merge=evil\n')
  for (const hook of ['post-checkout', 'post-commit', 'pre-commit', 'reference-transaction', 'fsmonitor-watchman']) {
    project.write(`.githooks/${hook}`, `#!/bin/sh\n${pwn}\n`, 0o755)
  }
  project.commit()
  project.git('clone', '--quiet', project.path, join(project.path, '.git/clone'))
  await areCalm(project, '.git/clone', ['init', ...reading, 'run --dry_run it x', 'run --dry_run evil', 'export'])
  expect(project.has('pwned')).toBe(false)
})

test('lists and pages of runs do not call git, so that not even its settings can run something', async () => {
  const project = await shellProject()
  const pwn = `touch ${project.path}/pwned`
  await project.qanat('run', 'it', ...groups('true', 'exit 1'))
  const settings = 'core.fsmonitor core.pager core.editor diff.external core.sshCommand filter.evil.clean'
  for (const name of settings.split(' ')) project.git('config', name, pwn)
  await areCalm(project, '.', reading)
  expect(project.has('pwned')).toBe(false)
})

test('a folder of the repository that pretends to be a repository is ignored', async () => {
  const project = await shellProject()
  const inner = `${project.path}/inner`
  project.git('clone', '--quiet', '--bare', project.path, inner)
  const settings = { bare: 'false', worktree: inner, fsmonitor: `touch ${project.path}/pwned; false` }
  for (const [key, value] of Object.entries(settings))
    project.git('config', '-f', `${inner}/config`, `core.${key}`, value)
  // Its index comes with it, and says that the program is to be asked.
  project.git('-C', inner, 'status')
  expect(project.has('pwned')).toBe(true)
  rmSync(join(project.path, 'pwned'))
  project.write('inner/.qanat/config.yaml', '')
  await project.qanatIn('inner', 'init')
  project.write('inner/it.yaml', 'name: it\nexecutable: it.yaml\nexecutable_command: cat\n')
  await project.qanatIn('inner', 'experiment', 'new', 'it.yaml')
  await areCalm(project, 'inner', ['run --allow_dirty it', 'run --dry_run it', 'cache clean'])
  expect(project.has('pwned')).toBe(false)
})

test.each(['.qanat/database.db', '.qanat'])('a clone whose %s is a link makes nothing behind it', async path => {
  const [project, outside, clone] = [await shellProject(), new Folder(), new Folder()]
  clone.git('clone', '--quiet', project.path, '.')
  if (path === '.qanat') {
    clone.git('mv', '.qanat', 'elsewhere')
    symlinkSync('elsewhere', join(clone.path, '.qanat'))
  } else symlinkSync(join(outside.path, 'made.db'), join(clone.path, path))
  expectError(await clone.qanat('init'), 2, 'is a link', 'put what it leads to in its place')
  expect(outside.list('.')).toEqual([])
  expect(clone.has('elsewhere/database.db')).toBe(false)
})

test('a new project does not write through a .gitignore that is a link', async () => {
  const [folder, outside] = [new Folder(), new Folder()]
  outside.write('profile', 'mine\n')
  folder.git('init', '--quiet')
  symlinkSync(join(outside.path, 'profile'), join(folder.path, '.gitignore'))
  expectError(await folder.qanat('init', '--yes'), 2, 'is a link')
  expect(outside.read('profile')).toBe('mine\n')
  expect(folder.list('.')).toEqual(['.git', '.gitignore'])
})

test('a frozen copy writes nothing through a link in its commit', async () => {
  const [project, outside] = [await shellProject(), new Folder()]
  outside.write('cache/kept.txt', 'precious')
  symlinkSync(join(outside.path, 'cache'), join(outside.path, 'data'))
  const before = contents(outside)
  symlinkSync(outside.path, join(project.path, 'a'))
  project.write('.gitignore', `${project.read('.gitignore')}/a/data\n/a/new\n`)
  project.commit('with a link')
  project.git('rm', '--quiet', 'a')
  mkdirSync(join(project.path, 'a'), { recursive: true })
  for (const name of ['a/kept', 'a/data/x', 'a/new/x']) project.write(name, 'ours')
  project.commit('with a folder')
  expect((await project.qanat('run', '--commit_sha', 'HEAD~1', 'it', 'true')).code).toBe(0)
  expect(contents(outside)).toEqual(before)
})

describe("somebody else's database", () => {
  const outside = '/etc .. ../.. .  .git .qanat results results/it results/../.git results/it/../../.qanat'.split(' ')
  const failed = madeOnce(async () => {
    const project = await shellProject()
    await project.qanat('run', 'it', 'exit 1')
    return project
  })

  test('names folders that run_delete leaves where they are', async () => {
    const project = await shellProject()
    const other = victim()
    const before = contents(other)
    await project.qanat('run', 'it', 'true')
    await project.qanat('run', 'it', 'true')
    for (const path of [...outside, other.path, `${other.path}/run_1`, `${other.path}/it`]) {
      tamper(project, `UPDATE runs SET storage_path = '${path}', deleted = 0 WHERE id = 2`)
      const { stderr } = await project.qanat('run_delete', 'it', '2', '--yes')
      expect([path, stderr]).toEqual([path, expect.stringContaining('was not moved to the trash')])
    }
    await project.qanat('trash', 'empty', '--yes')
    expect(contents(other)).toEqual(before)
    expect(project.list('results/it')).toEqual(['run_1', 'run_2'])
    expect((await project.show(1)).status).toBe('finished')
  })

  test.each([
    ['no table', 'DROP TABLE datasets'],
    ['text that is not what it says it is', "UPDATE experiments SET definition = '[broken'"],
    ['other JSON than expected', `UPDATE experiments SET definition = '{"name": "it", "tags": {}, "actions": 3}'`],
    ['a definition that is none', "UPDATE experiments SET definition = '3', problem = '[]'"],
    ['null for a mapping', "UPDATE runs SET runner_parameters = 'null', tags = '7'"],
    ['a runner that nobody knows', "UPDATE runs SET runner = 'evil', groups_finished = 0, groups_pending = 1"],
    ['a grid that is none', "UPDATE launches SET grid = '[]', definition = '4'"],
    ['states that there are none of', "UPDATE groups SET state = 'evil'"],
    [
      'very long texts',
      "UPDATE experiments SET definition = json_set(definition, '$.description', hex(zeroblob(5000000)))",
    ],
    ['a view for a table', 'ALTER TABLE datasets RENAME TO d; CREATE VIEW datasets AS SELECT * FROM d, d AS e'],
    ['triggers', "CREATE TRIGGER evil AFTER UPDATE ON runs BEGIN SELECT raise(ROLLBACK, 'evil'); END"],
  ])('with %s is read, or reported as damaged', async (_, sql) => {
    const project = await failed()
    tamper(project, sql)
    await areCalm(project, '.', [...reading, 'rerun 1', 'run_retry 1', 'run_tag 1 +x', 'run_delete 1 --yes'])
  })
})

function tamper(project: Folder, sql: string): void {
  const database = new Database(join(project.path, '.qanat/database.db'))
  database.pragma('foreign_keys = OFF')
  database.exec(sql)
  database.close()
}
