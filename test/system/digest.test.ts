import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOfFile, rememberedDigest } from '../../src/system/digest.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'

describe('the digest of a large file', () => {
  test('is remembered until the file changes, even to one of the same size and time', async () => {
    const folder = folderWith({ 'a.sif': 'one' })
    const [file, memory] = [join(folder, 'a.sif'), join(folder, 'cache/digests.json')]
    await until(() => Date.now() - statSync(file).ctimeMs > 3_000)
    const digest = await rememberedDigest(file, memory)
    expect(digest).toBe(await digestOfFile(file))
    writeFileSync(memory, readFileSync(memory, 'utf8').replace(digest, 'sha256:remembered'))
    expect(await rememberedDigest(file, memory)).toBe('sha256:remembered')
    for (const damaged of ['', 'null', '[]', '{"a', '3']) {
      writeFileSync(memory, damaged)
      expect([damaged, await rememberedDigest(file, memory)]).toEqual([damaged, digest])
    }
    expect(await rememberedDigest(file, join(file, 'no folder'))).toBe(digest)
    const { atime, mtime } = statSync(file)
    writeFileSync(file, 'two')
    utimesSync(file, atime, mtime)
    expect(await rememberedDigest(file, memory)).toBe(await digestOfFile(file))
  })

  test('is not remembered of a file that has just changed', async () => {
    const folder = folderWith({ 'a.sif': 'one' })
    await rememberedDigest(join(folder, 'a.sif'), join(folder, 'digests.json'))
    expect(existsSync(join(folder, 'digests.json'))).toBe(false)
  })
})
