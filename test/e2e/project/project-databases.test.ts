import { cpSync, readFileSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { Folder, projectWith } from '../project.js'

const older = fileURLToPath(new URL('../../fixtures/older-project', import.meta.url))

const commands = `status|experiment list|experiment status summary_iris|dataset new -f dataset.yaml
experiment delete summary_iris --yes|run summary_iris|run_delete summary_iris 1 --yes`

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
    for (const command of commands.split(/[|\n]/)) {
      expectError(await folder.qanat(...command.split(' ')), 1, 'older Python program', 'left as it is', 'qanat init')
      expect(database(folder)).toEqual(before)
    }
    expectError(await folder.qanat('init', '--yes'), 1, 'older Python program', `mv ${folder.path}/.qanat/database.db`)
    expect(database(folder)).toEqual(before)
    expect(folder.list('results/summary_iris')).toEqual(['run_3'])
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
    expect(await folder.qanat('cache', 'clean')).toMatchObject({ code: 0, stderr: '' })
    expect(folder.list('.qanat/cache')).toEqual(['0123456789012345678901234567890123456789'])
    folder.write('it.yaml', 'name: summary_iris\nexecutable: it.sh\nexecutable_command: sh\n')
    folder.write('it.sh', 'true')
    folder.commit()
    expect(await folder.qanat('experiment', 'new', '-f', 'it.yaml')).toMatchObject({ code: 0, stderr: '' })
    expect((await folder.json('run', '--json', 'summary_iris')).id).toBe(4)
  })
})

const inFile = (sql: string) => (file: string) => void new Database(file).exec(sql).close()

function makeForeign(file: string): void {
  truncateSync(file, 0)
  inFile('CREATE TABLE songs (title TEXT)')(file)
}

const olderDatabase = join(older, 'dot-qanat/database.db')
const rebuilt = "'qanat doctor --repair' rebuilds it from the folders of the runs"

/** What to do to the database of a project, and what is said then: whether `doctor --repair` rebuilds it, or refuses. */
const unusable: readonly [what: string, damage: (file: string) => void, ...said: string[]][] = [
  ['of a newer program', inFile('PRAGMA user_version = 99'), 'newer Qanat', 'schema 99', 'npm install -g qanat'],
  ['of another program', makeForeign, 'is not a database of Qanat', 'move it away'],
  ['of the older program', file => cpSync(olderDatabase, file), 'older Python program'],
  ['of no release', inFile('PRAGMA application_id = 0; PRAGMA user_version = 9'), 'no release', rebuilt],
  ['of another schema', inFile('ALTER TABLE groups DROP COLUMN reason'), 'groups differs', rebuilt],
  ['that is no database', file => cpSync(fileURLToPath(import.meta.url), file), 'is damaged', rebuilt],
]

describe('a database', () => {
  const withRun = madeOnce(async () => {
    const project = await projectWith('true')
    await project.qanat('run', 'it')
    return project
  })

  test.each(unusable)('%s is refused, and not changed', async (_, damage, ...said) => {
    const project = await withRun()
    damage(join(project.path, '.qanat/database.db'))
    const [content, ...before] = database(project)
    const refused = [`${project.path}/.qanat/database.db`, ...said]
    for (const line of ['status', 'run it', 'init']) expectError(await project.qanat(...line.split(' ')), 1, ...refused)
    expect(database(project)).toEqual([content, ...before])
    const repaired = await project.qanat('doctor', '--repair')
    if (!said.includes(rebuilt)) {
      expectError(repaired, 1, ...refused)
      expect(repaired.stderr).not.toContain('--repair')
      expect(database(project).slice(0, 2)).toEqual([content, before[0]])
      return
    }
    expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining('Added to the database: run 1\n')])
    const [, aside] = /was moved to (\.qanat\/database\.db\.\d{4}\S+);/.exec(repaired.stdout)!
    expect(readFileSync(join(project.path, aside!)).toString('base64')).toBe(content)
    expect((await project.show(1)).status).toBe('finished')
  })

  test('that is rebuilt names the runs whose files are gone, finds those elsewhere, and gives no id again', async () => {
    const project = await projectWith('true')
    for (const words of [[], [], ['--storage_path', 'results/mine'], [], []]) await project.qanat('run', ...words, 'it')
    await project.qanat('run_delete', '5', '--yes')
    await project.qanat('trash', 'empty', '--yes')
    await project.shell('rm results/it/run_1/.run/run.yaml; rm -r results/it/run_2 results/it/run_4/.run/records')
    inFile('PRAGMA application_id = 0')(join(project.path, '.qanat/database.db'))
    const { code, stdout, stderr } = await project.qanat('doctor', '--repair')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Added to the database: run 3, 4\n')])
    expect(stderr).toContain('cannot be read: run 1 (results/it/run_1), run 2 (results/it/run_2)\n')
    for (const id of [3, 4]) expect((await project.show(id)).status).toBe('finished')
    expect((await project.json('run', '--json', 'it')).id).toBe(6)
  })
})
