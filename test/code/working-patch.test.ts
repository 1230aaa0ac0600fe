import { chmodSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptState } from '../../src/code/script-state.js'
import { inspectTree } from '../../src/code/tree-state.js'
import { findPatch, restorePatch, takeWorkingPatch, workingTree, writePatch } from '../../src/code/working-patch.js'
import { folderWith } from '../project/temporary.js'
import { Repository } from './repository.js'

const files = { 'project/it.py': 'one\ntwo\n', 'project/gone.py': 'x\n', 'beside.txt': 'a  \n' }

/** A repository with all kinds of changes that are not committed, which were recorded, and the patch of them. */
async function changed() {
  const repository = new Repository(files)
  const root = join(repository.folder, 'project')
  writeFileSync(join(root, 'it.py'), 'one\r\ntwo\nthree')
  writeFileSync(join(root, 'binary'), Buffer.from([0, 255, 10, 13, 0]))
  writeFileSync(join(root, 'a name\twith "quotes"'), '')
  rmSync(join(root, 'gone.py'))
  symlinkSync('it.py', join(root, 'link'))
  repository.write('beside.txt', 'a \t \n\n\n')
  chmodSync(join(repository.folder, 'beside.txt'), 0o755)
  const state = await inspectTree(root)
  const patch = await takeWorkingPatch(state)
  const file = join(folderWith(), 'patch')
  await writePatch(state, patch, file)
  return { repository, state, patch, file }
}

test('recorded changes are made from their patch in another clone, without touching its files or its index', async () => {
  const { repository, state, patch, file } = await changed()
  const clone = folderWith()
  repository.git('clone', '--quiet', repository.folder, clone)
  const other = await inspectTree(join(clone, 'project'))
  expect(await findPatch(other, 'no-token', patch.tree)).toBeNull()
  const restored = await restorePatch(other, patch.tree, file)
  expect(restored!.tree).toBe(patch.tree)
  const parents = await other.git.run('rev-parse', `${restored!.commit}^`, `${restored!.commit}^{tree}`)
  expect(parents).toBe(`${state.head}\n${patch.tree}\n`)
  expect((await inspectTree(join(clone, 'project'))).changes).toEqual([])
})

test.each<[string, (file: string) => void]>([
  ['is not there', file => rmSync(file)],
  ['is empty', file => writeFileSync(file, '')],
  ['is something else', file => writeFileSync(file, 'not a patch\n')],
  ['was edited', file => writeFileSync(file, '--- a/beside.txt\n+++ b/beside.txt\n@@ -1 +1 @@\n-a  \n+b\n')],
])('changes are not made from a patch that %s', async (_, spoil) => {
  const { state, patch, file } = await changed()
  spoil(file)
  expect(await restorePatch(state, patch.tree, file)).toBeNull()
})

test('a change is recorded that has left the size and the time of a file as they were when git looked last', async () => {
  const repository = new Repository(files)
  const path = join(repository.folder, 'beside.txt')
  // As if both were written within the same second.
  const written = () => utimesSync(path, 1_700_000_000, 1_700_000_000)
  repository.git('config', 'core.trustctime', 'false')
  written()
  repository.git('update-index', '--refresh')
  utimesSync(join(repository.folder, '.git/index'), 1_700_000_000, 1_700_000_000)
  repository.write('beside.txt', 'b  \n')
  written()
  const state = await inspectTree(join(repository.folder, 'project'))
  const { tree } = await takeWorkingPatch(state)
  expect(repository.git('show', `${tree}:beside.txt`)).toBe('b  \n')
  expect((await scriptState(path)).patch?.toString()).toContain('+b  ')
})

test('the tree of what git tracks is known however large other files are', async () => {
  const repository = new Repository(files)
  repository.write('beside.txt', 'changed\n')
  writeFileSync(join(repository.folder, 'model.bin'), '')
  truncateSync(join(repository.folder, 'model.bin'), 60_000_000)
  const state = await inspectTree(repository.folder)
  expect(await workingTree(state)).toBeNull()
  const tree = await workingTree(state, 'tracked')
  expect(repository.git('ls-tree', '-r', '--name-only', tree!)).toBe('beside.txt\nproject/gone.py\nproject/it.py\n')
})
