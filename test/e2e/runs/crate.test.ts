import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breaches } from '../../domain/crate/profile.js'
import { lacks, skips } from '../../skips.js'
import { madeOnce } from '../made-once.js'
import { quote, shellProject } from '../project.js'

const withRun = madeOnce(async () => {
  const folder = await shellProject()
  folder.write('own.sh', 'echo "$QANAT_GROUP_INDEX" > "$QANAT_STORAGE_PATH/own ü"; [ "$QANAT_GROUP_INDEX" != 1 ]\n')
  folder.write('own.yaml', 'name: own\nexecutable: own.sh\nexecutable_command: sh\n')
  folder.git('remote', 'add', 'origin', 'https://ada:password@example.org/iris.git')
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'own.yaml')
  folder.write('more.txt', 'not committed')
  await folder.qanat('run', '--allow_dirty', 'own', '-g', '--a 1', '-g', '--a 2')
  return folder
})

describe('a crate of a run', () => {
  const filesIn = (path: string) =>
    (readdirSync(path, { recursive: true }) as string[]).filter(name => statSync(join(path, name)).isFile())

  test('has its files and the metadata of the profile, as a folder and as a ZIP file', async () => {
    const folder = await withRun()
    const { code, stdout } = await folder.qanat('export', '--crate', 'latest', '-o', 'crate')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^crate: run 1 as a Process Run Crate, with \d+ files/)])
    const path = `${folder.path}/crate`
    const metadata = readFileSync(`${path}/ro-crate-metadata.json`, 'utf8')
    const files = filesIn(path).filter(name => name !== 'ro-crate-metadata.json')
    expect(breaches(metadata, files)).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['run_1/group_1/own ü', 'uncommitted.patch', 'run_1/info.yaml']))
    expect(metadata).toContain('"codeRepository": "https://example.org/iris"')
    expect(metadata).not.toContain('password')
    const zipped = await folder.qanat('export', '--crate', '1', '-o', 'crate.zip', '--json')
    expect(JSON.parse(zipped.stdout)).toMatchObject({ path: 'crate.zip', run: 1, files: files.length, missing: [] })
    const listing = execFileSync('python3', ['-m', 'zipfile', '-l', `${path}.zip`], { encoding: 'utf8' })
    for (const name of filesIn(path)) expect(listing).toContain(name)
  })

  test('names the actions that made a file, and the group on which one worked', async () => {
    const folder = await withRun()
    folder.write('plot.sh', 'echo drawn > "$2/fig.svg"; echo more >> "$2/own ü"\n')
    folder.write(
      'acting.yaml',
      'name: own\nexecutable: own.sh\nexecutable_command: sh\nactions: [{name: plot, executable: plot.sh, executable_command: sh}]\n',
    )
    await folder.qanat('experiment', 'update', 'own', '-f', 'acting.yaml')
    await folder.qanat('action', 'plot', '1.0')
    await folder.qanat('action', 'plot', '1.0')
    folder.write('results/own/run_1/group_0/new.txt', 'by hand')
    const { code, stderr } = await folder.qanat('export', '--crate', '1', '-o', 'crate')
    const unknown = 'which group or action has made group_0/new.txt (it has changed since the run ended, or came later)'
    expect([code, stderr]).toEqual([0, `Warning: not in the crate: ${unknown}\n`])
    const metadata = folder.read('crate/ro-crate-metadata.json')
    expect(
      breaches(
        metadata,
        filesIn(`${folder.path}/crate`).filter(name => name !== 'ro-crate-metadata.json'),
      ),
    ).toEqual([])
    const graph: Record<string, unknown>[] = JSON.parse(metadata)['@graph']
    const figure = { '@id': 'run_1/group_0/fig.svg' }
    const object = [{ '@id': 'run_1/group_0/' }]
    // Only the last of them has left the other file as it is in the crate.
    const [last, first] = graph.filter(({ name }) => name === 'Action plot')
    expect(last).toMatchObject({ object, result: [figure, { '@id': 'run_1/group_0/own%20%C3%BC' }] })
    expect(first).toMatchObject({ object, result: [figure] })
  })

  const cannotTrace = () => (spawnSync('strace', ['true']).status === 0 ? null : 'strace may not trace processes here')

  test.skipIf(skips('a crate without hard links', lacks('strace') ?? cannotTrace()))(
    'is a ZIP file also where there are no hard links, as on exFAT, and is not written over anything there',
    async () => {
      const folder = await withRun()
      const without = 'strace -f -qq -e trace=?link,?linkat -e inject=?link,?linkat:error=EPERM -o /dev/null'
      const crate = `${without} ${quote(process.execPath)} ${quote(folder.program)} export --crate 1 -o no-links.zip`
      expect((await folder.shell(crate)).code).toBe(0)
      execFileSync('python3', ['-m', 'zipfile', '-t', `${folder.path}/no-links.zip`])
      expect(await folder.shell(crate)).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
      expect(readdirSync(folder.path).filter(name => name.startsWith('no-links'))).toEqual(['no-links.zip'])
    },
  )

  test('says what is missing, and is not made without the folder of the run', async () => {
    const folder = await withRun()
    rmSync(`${folder.path}/results/own/run_1/group_0`, { recursive: true })
    symlinkSync('own ü', `${folder.path}/results/own/run_1/group_1/link`)
    const { code, stderr } = await folder.qanat('export', '--crate', '1', '-o', 'crate')
    expect([code, stderr]).toEqual([0, expect.stringContaining('1.0 ran, and its folder is gone')])
    expect(stderr).toContain('not in the crate: group_1/link is no regular file')
    await folder.shell("touch results/own/run_1/group_1/$(printf '\\377')")
    const odd = await folder.qanat('export', '--crate', '1', '-o', 'odd')
    expect([odd.code, odd.stderr]).toEqual([
      0,
      expect.stringContaining('group_1/link, group_1/\uFFFD are no regular files that can be read'),
    ])
    rmSync(`${folder.path}/results/own/run_1`, { recursive: true })
    const gone = await folder.qanat('export', '--crate', '1', '-o', 'other')
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('the folder of run 1 is gone')])
    expect(existsSync(`${folder.path}/other`)).toBe(false)
  })

  test('is never written over anything, nor into the run', async () => {
    const folder = await withRun()
    folder.write('there/file', 'mine')
    for (const output of ['there', 'more.txt', 'results/own/run_1/crate', 'results/own/run_1']) {
      expect(await folder.qanat('export', '--crate', '1', '-o', output)).toMatchObject({ code: 2, stdout: '' })
    }
    expect(folder.read('there/file') + folder.read('more.txt')).toBe('minenot committed')
    expect(existsSync(`${folder.path}/results/own/run_1/crate`)).toBe(false)
    const { stderr, code } = await folder.qanat('export', '--crate', '1', '-o', 'a b.tar.gz')
    expect([code, stderr]).toEqual([
      2,
      `Error: -o a b.tar.gz: a crate is a folder, or a file whose name ends with .zip
  qanat export --crate 1 -o 'a b.zip'
`,
    ])
    expect(existsSync(`${folder.path}/a b.tar.gz`)).toBe(false)
  })
})
