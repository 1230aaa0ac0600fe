import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ExitCode } from '../../src/errors.js'
import { locksHold } from '../../src/store/lock-check.js'
import { fileWith, folderWith } from '../project/temporary.js'

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

/** Compiles the shim. @returns its path, or null and a word about it where that cannot be done */
function grantAll(): string | null {
  const source = fileWith(shim, 'grant.c')
  const library = source.replace(/c$/, 'so')
  const { status } = spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source])
  if (process.platform === 'linux' && process.arch === 'x64' && status === 0) return library
  process.stdout.write('skipped: a file system without locks: it is imitated with gcc on Linux x64\n')
  return null
}

describe('locks of a file system', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test('that keep programs apart are seen, and nothing is left behind', async () => {
    const folder = folderWith()
    expect(await locksHold(folder)).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })

  test('that are granted to everyone are seen', async () => {
    const library = grantAll()
    if (library === null) return
    vi.stubEnv('LD_PRELOAD', library)
    expect(await locksHold(folderWith())).toBe(false)
  })

  test('of a folder that is not there cannot be told', async () => {
    const folder = join(folderWith(), 'nowhere')
    const error = { code: ExitCode.failed, message: expect.stringContaining(`${folder} cannot be written`) }
    await expect(locksHold(folder)).rejects.toMatchObject(error)
  })
})
