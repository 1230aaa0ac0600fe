import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ExitCode } from '../../src/errors.js'
import { locksHold } from '../../src/store/locks/lock-check.js'
import { fileWith, folderWith } from '../project/temporary.js'
import { lacks, skips } from '../skips.js'

/** Grants every lock, as file systems do that are mounted without them. */
const shim = `
#include <sys/syscall.h>
#include <unistd.h>
int fcntl(int file, int command, void *argument) {
  int is_lock = command == 6 || command == 7; /* F_SETLK, F_SETLKW */
  return is_lock ? 0 : syscall(SYS_fcntl, file, command, argument);
}
int fcntl64(int file, int command, void *argument) { return fcntl(file, command, argument); }
`

const isX64 = process.platform === 'linux' && process.arch === 'x64'
const noShim = skips('a file system without locks', isX64 ? lacks('gcc') : 'it is imitated on Linux x64')

describe('locks of a file system', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test('that work are recognised, and nothing is left behind', async () => {
    const folder = folderWith()
    expect(await locksHold(folder)).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })

  test.skipIf(noShim)('that are granted to everyone are recognised', async () => {
    const library = join(folderWith(), 'grant.so')
    execFileSync('gcc', ['-shared', '-fPIC', '-o', library, fileWith(shim, 'grant.c')])
    vi.stubEnv('LD_PRELOAD', library)
    expect(await locksHold(folderWith())).toBe(false)
  })

  test('of a missing folder cannot be checked', async () => {
    const folder = join(folderWith(), 'nowhere')
    const error = { code: ExitCode.failed, message: expect.stringContaining(`${folder} cannot be written`) }
    await expect(locksHold(folder)).rejects.toMatchObject(error)
  })
})
