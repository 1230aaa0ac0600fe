import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { setExtendedAttribute } from '../../src/system/extended-attribute.js'
import { folderWith } from '../project/temporary.js'

afterEach(() => void vi.unstubAllEnvs())

const name = 'user.qanat.metadata'
const python = (code: string, ...words: string[]) =>
  execFileSync('python3', ['-c', `import os, sys; ${code}`, ...words], { encoding: 'utf8' })

/** Whether the file system of a file supports such attributes. */
function takesAttributes(file: string): boolean {
  try {
    python('os.setxattr(sys.argv[1], "user.try", b"x")', file)
    return true
  } catch {
    return false
  }
}

test('an attribute is set byte for byte where the file system takes it, and any other file is left as it is', async () => {
  const file = join(folderWith({ '-a file': 'text' }), '-a file')
  const text = "run 1: sh it.sh 'é $(x)'\n--b"
  expect(await setExtendedAttribute(file, name, text)).toBe(true)
  if (!takesAttributes(file)) return
  expect(python('print(os.getxattr(sys.argv[1], sys.argv[2]).decode(), end="")', file, name)).toBe(text)
})

test('the result says if no program for it is installed', async () => {
  vi.stubEnv('PATH', folderWith())
  expect(await setExtendedAttribute(join(folderWith({ x: '' }), 'x'), name, 'text')).toBe(false)
})
