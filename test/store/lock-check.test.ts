import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ExitCode } from '../../src/errors.js'
import { locksHold } from '../../src/store/lock-check.js'
import { fileWith, folderWith } from '../project/temporary.js'
import { lacks, skips } from '../skips.js'

/** Grants every lock, as file systems do that are mounted without them. */
const shim = `
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
#define F_SETLK 6
#define F_SETLKW 7
static int grant(int file, int command, void *argument) {
  if (command == F_SETLK || command == F_SETLKW) return 0;
  return syscall(SYS_fcntl, file, command, argument);
}
#define FORWARD(name) \\
  int name(int file, int command, ...) { \\
    va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list); \\
    return grant(file, command, argument); \\
  }
FORWARD(fcntl)
FORWARD(fcntl64)
`

/** Compiles the shim. @returns its path */
function grantAll(): string {
  const source = fileWith(shim, 'grant.c')
  const library = source.replace(/c$/, 'so')
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source])
  return library
}

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
    vi.stubEnv('LD_PRELOAD', grantAll())
    expect(await locksHold(folderWith())).toBe(false)
  })

  test('of a missing folder cannot be checked', async () => {
    const folder = join(folderWith(), 'nowhere')
    const error = { code: ExitCode.failed, message: expect.stringContaining(`${folder} cannot be written`) }
    await expect(locksHold(folder)).rejects.toMatchObject(error)
  })
})
