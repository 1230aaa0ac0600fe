import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { setExtendedAttribute } from '../../src/system/extended-attribute.js'
import { fileWith, folderWith } from '../project/temporary.js'

afterEach(() => void vi.unstubAllEnvs())

const name = 'user.qanat.metadata'
/** Prints an attribute of a file, or `unsupported` if its file system has none. */
const reader = `import os, sys
file, name = sys.argv[1:]
try: os.setxattr(file, "user.try", b"x")
except OSError: print("unsupported", end="")
else: print(os.getxattr(file, name).decode(), end="")`

test('an attribute is set byte for byte where the file system takes it, and any other file is left as it is', async () => {
  const file = fileWith('text', '-a file')
  const text = "run 1: sh it.sh 'é $(x)'\n--b"
  expect(await setExtendedAttribute(file, name, text)).toBe(true)
  const read = execFileSync('python3', ['-c', reader, file, name], { encoding: 'utf8' })
  expect([text, 'unsupported']).toContain(read)
  expect(readFileSync(file, 'utf8')).toBe('text')
})

test('the result says if no program for it is installed', async () => {
  vi.stubEnv('PATH', folderWith())
  expect(await setExtendedAttribute(fileWith(''), name, 'text')).toBe(false)
})
