import { readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kill } from '../processes.js'
import { type Folder, shellProject, until } from '../project.js'
import { workingIn } from '../working-processes.js'

/** A project whose experiment keeps hashes of what it leaves. */
async function hashing(): Promise<Folder> {
  const folder = await shellProject()
  folder.write('hash.yaml', 'manifest: hash\n')
  folder.commit()
  expect((await folder.qanat('experiment', 'update', 'it', '-f', 'hash.yaml')).stderr).toBe('')
  return folder
}

const outputs = async (folder: Folder, id = 1) => (await folder.show(id)).outputs
const hashed = (folder: Folder, id = 1) =>
  until(async () => {
    const { files, hashed: count } = await outputs(folder, id)
    return count === files
  })

/** The processes that keep something in the background. */
function keepers({ path }: Folder): number[] {
  return workingIn(path).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--hash_outputs')
    } catch {
      return false
    }
  })
}

const leaves = 'echo 1 > "$QANAT_STORAGE_PATH/model.pt"; ln -s / "$QANAT_STORAGE_PATH/root"'

describe('what a run has left', () => {
  test('is kept with its sizes, in each group, without what lies behind links', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', leaves)
    expect(await outputs(folder)).toEqual({ files: 3, bytes: 2, hashed: 0, partial: null })
    await folder.qanat('run', 'it', '-g', "'echo out'", '-g', `'${leaves}'`)
    expect(await outputs(folder, 2)).toEqual({ files: 5, bytes: 6, hashed: 0, partial: null })
    expect((await folder.qanat('run_show', '2')).stdout).toContain('\nLeft: 5 files, 6 B\n')
    rmSync(join(folder.path, 'results'), { recursive: true })
    expect(await outputs(folder, 2)).toEqual({ files: 5, bytes: 6, hashed: 0, partial: null })
  })

  test('is hashed by a process that goes on after the command, and is started again if it was killed', async () => {
    const folder = await hashing()
    await folder.qanat('run', 'it', 'truncate -s 32G "$QANAT_STORAGE_PATH/model.pt"')
    expect(await outputs(folder)).toMatchObject({ files: 3, bytes: 32 * 1024 ** 3, hashed: 0 })
    expect(keepers(folder)).not.toEqual([])
    kill(...keepers(folder))
    await until(() => keepers(folder).length === 0)
    await folder.shell('truncate -s 1M results/it/run_1/model.pt')
    await folder.show()
    await until(async () => (await outputs(folder)).hashed === 2)
    // It is another file by now.
    await until(() => keepers(folder).length === 0)
    expect(await outputs(folder)).toMatchObject({ files: 3, hashed: 2 })
  })

  test('is hashed again after a retry', async () => {
    const folder = await hashing()
    await folder.qanat('run', 'it', 'date +%N > "$QANAT_STORAGE_PATH/clock"; [ -e "$QANAT_PROJECT/results/mended" ]')
    await hashed(folder)
    folder.write('results/mended', '')
    await folder.qanat('run_retry', '1')
    await hashed(folder)
    expect((await folder.qanat('rerun', '--verify', '1')).stdout).not.toContain('since it ended')
  })

  test('stays what it was at the end of the run if a new database learns of that end later', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', 'echo 1 > "$QANAT_STORAGE_PATH/model.pt"')
    folder.write('results/it/run_1/model.pt', 'edited')
    await folder.shell('rm .qanat/database.db*')
    expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
    expect(await outputs(folder)).toMatchObject({ files: 3, bytes: 2 })
    expect((await folder.qanat('whence', 'results/it/run_1/model.pt')).stdout).toContain(
      'has changed since run 1 ended',
    )
  })

  test('goes for good with the run', async () => {
    const folder = await shellProject()
    await folder.shell('qanat run it true; qanat run it true; qanat run_delete 1 --yes')
    expect(folder.list('.qanat/data/outputs')).toHaveLength(2)
    await folder.qanat('trash', 'empty', '--yes')
    expect(folder.list('.qanat/data/outputs')).toHaveLength(1)
  })
})

describe('rerun --verify', () => {
  test('compares with the hashes of files that are gone, even all of them', async () => {
    const folder = await hashing()
    await folder.qanat(
      'run',
      'it',
      `${leaves}; echo 0.5 > "$QANAT_STORAGE_PATH/$(ls "$QANAT_PROJECT/results/it" | wc -l)"`,
    )
    await hashed(folder)
    rmSync(join(folder.path, 'results/it/run_1/model.pt'))
    const one = await folder.qanat('rerun', '--verify', '1')
    expect(one.stdout).toContain('does not reproduce run 1: 4 files identical, 1 missing, 1 added;')
    expect(one.stdout).toContain('  could not be made the same: the files of run 1, since it ended: 1 file gone\n')
    rmSync(join(folder.path, 'results/it/run_1'), { recursive: true })
    const all = await folder.qanat('rerun', '--verify', '1', '--ignore', '[0-9]', '--ignore', 'root')
    expect(all).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Run 3 reproduces run 1: 3 files identical;'),
    })
  })

  test('does not call a file identical if only its size is known', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', leaves)
    rmSync(join(folder.path, 'results/it/run_1/model.pt'))
    const { verify } = await folder.json('rerun', '--verify', '--json', '1')
    expect(verify).toMatchObject({ reproduced: false })
    expect(verify.files).toContainEqual({ group: 0, file: 'model.pt', result: 'unknown' })
    expect(verify.files).toContainEqual({ group: 0, file: 'root', result: 'identical' })
    rmSync(join(folder.path, 'results/it/run_1/root'))
    const again = (await folder.json('rerun', '--verify', '--json', '1')).verify
    expect(again.files).toContainEqual({ group: 0, file: 'root', result: 'unknown' })
  })

  test('says if the files of the first run have changed since', async () => {
    const folder = await shellProject()
    await folder.qanat('run', 'it', `${leaves}; echo 2 > "$QANAT_STORAGE_PATH/other.pt"`)
    folder.write('results/it/run_1/model.pt', 'more\n')
    utimesSync(join(folder.path, 'results/it/run_1/other.pt'), 1, 1)
    folder.write('results/it/run_1/later', '')
    const { stdout } = await folder.qanat('rerun', '--verify', '1', '--ignore', 'later')
    expect(stdout).toContain('  differs  model.pt of group 1.0\n')
    expect(stdout).toContain('the files of run 1, since it ended: 1 file changed, 1 maybe changed\n')
    // It has kept hashes of what had not changed.
    expect(await outputs(folder)).toMatchObject({ files: 4, hashed: 2 })
    expect(await outputs(folder, 2)).toMatchObject({ files: 4, hashed: 4 })
  })
})

test('whence finds a file by its hash although it is gone from its run', async () => {
  const folder = await hashing()
  await folder.qanat('run', 'it', leaves)
  await hashed(folder)
  await folder.shell('mv results/it/run_1/model.pt best.pt')
  expect(await folder.json('whence', 'best.pt', '--json')).toMatchObject({
    matches: [
      { run: 1, group: 0, path: 'results/it/run_1/model.pt', doubt: expect.stringContaining('gone or changed') },
    ],
  })
})
