import { cpSync, readFileSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { Folder, projectWith } from '../project.js'

const older = fileURLToPath(new URL('../../fixtures/older-project', import.meta.url))

const commands = [
  ['status'],
  ['experiment', 'list'],
  ['experiment', 'status', 'summary_iris'],
  ['dataset', 'new', '-f', 'dataset.yaml'],
  ['experiment', 'delete', 'summary_iris', '--yes'],
  ['run', 'summary_iris'],
  ['run_delete', 'summary_iris', '1', '--yes'],
]

/** A project as the older program leaves it. */
function olderProject(): Folder {
  const folder = new Folder()
  cpSync(join(older, 'dot-qanat'), join(folder.path, '.qanat'), { recursive: true })
  cpSync(join(older, 'dot-gitignore'), join(folder.path, '.gitignore'))
  folder.write('dataset.yaml', 'name: new\npath: data\n')
  folder.write('results/summary_iris/run_3/info.yaml', 'run_id: 3\n')
  folder.git('init', '--quiet')
  folder.commit()
  utimesSync(join(folder.path, '.qanat/database.db'), 1_000_000_000, 1_000_000_000)
  return folder
}

/** Content, time and neighbours of the database. */
function database(folder: Folder) {
  const file = join(folder.path, '.qanat/database.db')
  return [readFileSync(file).toString('base64'), statSync(file).mtimeMs, folder.list('.qanat')]
}

describe('a project of the older program', () => {
  test('is recognised by every command, and its database never written', async () => {
    const folder = olderProject()
    const before = database(folder)
    for (const args of commands) {
      expectError(await folder.qanat(...args), 1, 'older Python program', 'left as it is', 'qanat init')
      expect(database(folder)).toEqual(before)
    }
    expectError(await folder.qanat('init', '--yes'), 1, 'older Python program', `mv ${folder.path}/.qanat/database.db`)
    expect(database(folder)).toEqual(before)
    expect(folder.list('results/summary_iris')).toEqual(['run_3'])
  })

  test('has settings that are accepted without a warning', async () => {
    const folder = olderProject()
    const project = await projectWith('true')
    cpSync(join(folder.path, '.qanat/config.yaml'), join(project.path, '.qanat/config.yaml'))
    expect(await project.qanat('status')).toMatchObject({ code: 0, stderr: '' })
    expect((await project.qanat('config', 'get', 'htcondor.default.+WishedAcctGroup')).stdout).toBe(
      'group_usmb.listic\n',
    )
    project.write('.qanat/config.yaml', `${project.read('.qanat/config.yaml')}nohtcondorwarning: true\n`)
    expect(await project.qanat('status')).toMatchObject({ code: 0, stderr: '' })
  })

  test('can be taken over as the error says: settings stay and are tracked, and run ids continue after its folders', async () => {
    const folder = olderProject()
    const settings = folder.read('.qanat/config.yaml')
    folder.write('.qanat/cache/0123456789012345678901234567890123456789/it.sh', '')
    const hint = (await folder.qanat('status')).stderr
    const { code, stdout, stderr } = await folder.shell(`${/mv .*/.exec(hint)![0]} && qanat init`)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('with the settings of the older program')
    expect(folder.read('.qanat/config.yaml')).toBe(settings)
    expect(folder.git('ls-files', '.qanat/config.yaml', '.qanat/older.db')).toBe('.qanat/config.yaml\n')
    expect(folder.git('status', '--porcelain')).toBe('')
    expect((await folder.qanat('init')).stdout).toContain('is already a Qanat project')
    expect(await folder.qanat('cache', 'clean')).toMatchObject({ code: 0, stderr: '' })
    expect(folder.list('.qanat/cache')).toEqual(['0123456789012345678901234567890123456789'])
    folder.write('it.sh', 'true')
    folder.write('it.yaml', 'name: summary_iris\nexecutable: it.sh\nexecutable_command: sh\n')
    await folder.qanat('experiment', 'new', '-f', 'it.yaml')
    folder.git('add', 'it.sh', 'it.yaml')
    folder.git('commit', '--quiet', '--message', 'New')
    expect((await folder.json('run', '--json', 'summary_iris')).id).toBe(4)
  })
})

describe('a database is refused, and not changed,', () => {
  test.each<[string, (file: string) => void, string[]]>([
    ['that a newer program wrote', file => setVersion(file, 99), ['newer Qanat', 'schema 99']],
    ['that is no database', file => cpSync(fileURLToPath(import.meta.url), file), ['is damaged', 'qanat doctor']],
    ['that was cut off', file => truncateSync(file, statSync(file).size / 2), ['is damaged', 'qanat doctor']],
    ['that was cut off early', file => truncateSync(file, 50), ['is damaged', 'qanat doctor']],
    ['of which nothing is left', file => truncateSync(file, 0), ['is damaged', 'qanat doctor']],
    ['of another program', file => makeForeign(file), ['is not a database of Qanat', 'move it away']],
  ])('%s', async (_, damage, texts) => {
    const project = await projectWith('true')
    damage(join(project.path, '.qanat/database.db'))
    const before = database(project)
    for (const args of [['status'], ['experiment', 'list'], ['run', 'it']]) {
      expectError(await project.qanat(...args), 1, `${project.path}/.qanat/database.db`, ...texts)
    }
    expect(database(project)).toEqual(before)
    expect(project.has('results')).toBe(false)
  })
})

function makeForeign(file: string): void {
  truncateSync(file, 0)
  new Database(file).exec('CREATE TABLE songs (title TEXT)').close()
}

function setVersion(file: string, version: number): void {
  const connection = new Database(file)
  connection.pragma(`user_version = ${version}`)
  connection.close()
}
