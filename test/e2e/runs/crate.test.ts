import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breaches } from '../../domain/crate/profile.js'
import { lacks, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { type Folder, quote, shellProject } from '../project.js'

const withRun = madeOnce(async () => {
  const folder = await shellProject()
  const own = 'name: own\nexecutable: own.sh\nexecutable_command: sh\n'
  folder.write('own.sh', 'echo "$QANAT_GROUP_INDEX" > "$QANAT_STORAGE_PATH/own ü"; [ "$QANAT_GROUP_INDEX" != 1 ]\n')
  folder.write('own.yaml', `${own}actions: [{name: plot, executable: plot.sh, executable_command: sh}]\n`)
  folder.write('plot.sh', 'echo drawn > "$2/fig.svg"; echo more >> "$2/own ü"\n')
  folder.git('remote', 'add', 'origin', 'https://ada:password@example.org/iris.git')
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'own.yaml')
  folder.write('more.txt', 'not committed')
  await folder.qanat('run', '--allow_dirty', 'own', '-g', '--a 1', '-g', '--a 2')
  return folder
})

/** Makes a crate in the folder `crate`, which has to keep the rules. @returns its metadata, and the names of its other files */
async function crateOf(folder: Folder, warning: unknown = ''): Promise<{ metadata: string; files: string[] }> {
  const stdout = expect.stringMatching(/^crate: run 1 as a Process Run Crate, with \d+ files/)
  expect(await folder.qanat('export', '--crate', 'latest', '-o', 'crate')).toEqual({ code: 0, stdout, stderr: warning })
  const metadata = folder.read('crate/ro-crate-metadata.json')
  const all = readdirSync(`${folder.path}/crate`, { recursive: true, withFileTypes: true })
  const paths = all.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const files = paths.map(path => relative(`${folder.path}/crate`, path)).filter(name => !name.startsWith('ro-crate'))
  expect(breaches(metadata, files)).toEqual([])
  return { metadata, files }
}

describe('a crate of a run', () => {
  test('has its files and the metadata of the profile, as a folder and as a ZIP file', async () => {
    const folder = await withRun()
    const { metadata, files } = await crateOf(folder)
    expect(files).toEqual(expect.arrayContaining(['run_1/group_1/own ü', 'uncommitted.patch', 'run_1/info.yaml']))
    expect(metadata).toContain('"codeRepository": "https://example.org/iris"')
    expect(metadata).not.toContain('password')
    const zipped = await folder.json('export', '--crate', '1', '-o', 'crate.zip', '--json')
    expect(zipped).toMatchObject({ path: 'crate.zip', run: 1, files: files.length, missing: [] })
    const listing = await folder.shell('python3 -m zipfile -l crate.zip')
    for (const name of [...files, 'ro-crate-metadata.json']) expect(listing.stdout).toContain(name)
    // Validators look for what the metadata name, word for word.
    expect(listing.stdout).toMatch(/^run_1\/ /m)
    const graph: Record<string, unknown>[] = JSON.parse(metadata)['@graph']
    expect(graph.find(each => each['@id'] === 'run_1/info.yaml')).toMatchObject({ encodingFormat: 'application/yaml' })
  })

  test('names the actions that made a file, and the group on which one worked', async () => {
    const folder = await withRun()
    for (const _ of ['first', 'last']) await folder.qanat('action', 'plot', '1.0')
    folder.write('results/own/run_1/group_0/new.txt', 'by hand')
    const unknown = 'which group or action has made group_0/new.txt (it has changed since the run ended, or came later)'
    const { metadata } = await crateOf(folder, `Warning: not in the crate: ${unknown}\n`)
    const graph: Record<string, unknown>[] = JSON.parse(metadata)['@graph']
    const figure = { '@id': 'run_1/group_0/fig.svg' }
    const object = [{ '@id': 'run_1/group_0/' }]
    // Only the last of them has left the other file as it is in the crate.
    expect(graph.filter(({ name }) => name === 'Action plot')).toMatchObject([
      { object, result: [figure, { '@id': 'run_1/group_0/own%20%C3%BC' }] },
      { object, result: [figure] },
    ])
  })

  const cannotTrace = () => (spawnSync('strace', ['true']).status === 0 ? null : 'strace may not trace processes here')

  test.skipIf(skips('a crate without hard links', lacks('strace') ?? cannotTrace()))(
    'is a ZIP file also where there are no hard links, as on exFAT, and is not written over anything there',
    async () => {
      const folder = await withRun()
      const without = 'strace -f -qq -e trace=?link,?linkat -e inject=?link,?linkat:error=EPERM -o /dev/null'
      const crate = `${without} ${quote(process.execPath)} ${quote(folder.program)} export --crate 1 -o no-links.zip`
      expect((await folder.shell(`${crate} && python3 -m zipfile -t no-links.zip`)).code).toBe(0)
      expect(await folder.shell(crate)).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
      expect(folder.list('.').filter(name => name.startsWith('no-links'))).toEqual(['no-links.zip'])
    },
  )

  test('says what is missing, and is not made without the folder of the run', async () => {
    const folder = await withRun()
    await folder.shell(
      "cd results/own/run_1; rm -r group_0; ln -s 'own ü' group_1/link; touch group_1/$(printf '\\377')",
    )
    const odd = 'group_1/link, group_1/\uFFFD are no regular files that can be read'
    await crateOf(folder, expect.stringMatching(new RegExp(`1\\.0 ran, and its folder is gone.*${odd}`, 's')))
    await folder.shell('rm -r results/own/run_1')
    expectError(await folder.qanat('export', '--crate', '1', '-o', 'other'), 2, 'the folder of run 1 is gone')
    expect(folder.has('other')).toBe(false)
  })

  test('is never written over anything, nor into the run', async () => {
    const folder = await withRun()
    folder.write('there/file', 'mine')
    for (const output of ['there', 'more.txt', 'results/own/run_1/crate', 'results/own/run_1']) {
      expectError(await folder.qanat('export', '--crate', '1', '-o', output), 2)
    }
    expect(folder.read('there/file') + folder.read('more.txt')).toBe('minenot committed')
    expect(folder.has('results/own/run_1/crate')).toBe(false)
    const refused = await folder.qanat('export', '--crate', '1', '-o', 'a b.tar.gz')
    expectError(refused, 2, 'a crate is a folder, or a file whose name ends with .zip', "--crate 1 -o 'a b.zip'")
    expect(folder.has('a b.tar.gz')).toBe(false)
  })
})
