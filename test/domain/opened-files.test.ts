import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openedFiles, sourceOf } from '../../src/domain/opened-files.js'

/** Bytes of a text as strace writes them. */
function hex(text: string): string {
  return [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}

/** A line of a trace: texts between `"` and paths between `<` and `>` are written as their bytes. */
function traced(line: string): string {
  return line
    .replace(/"([^"]*)"/g, (_, text) => `"${hex(text)}"`)
    .replace(/<(\/[^>]*)>/g, (_, path) => `<${hex(path)}>`)
}

async function opened(...lines: string[]): Promise<string[]> {
  return [...(await openedFiles(lines.map(traced), '/home/p'))].sort()
}

describe('the files that a trace of strace names', () => {
  test.each<[string, string[], string[]]>([
    [
      'are opened to read',
      ['7 openat(AT_FDCWD</home/p>, "a/b.py", O_RDONLY|O_CLOEXEC) = 3</home/p/a/b.py>'],
      ['/home/p/a/b.py'],
    ],
    ['are opened by an old call', ['7 open("/x", O_RDWR) = 3</x>'], ['/x']],
    ['are opened relative to a folder', ['7 openat(4</home>, "q/../x", O_RDONLY) = 5</home/x>'], ['/home/x']],
    ['are named by a link, too', ['7 openat(AT_FDCWD</home/p>, "l", O_RDONLY) = 3</data/x>'], ['/data/x', '/home/p/l']],
    ['are not those that are only written', ['7 openat(AT_FDCWD</>, "x", O_WRONLY|O_CREAT, 0666) = 3</x>'], []],
    ['are not those that are emptied', ['7 openat(AT_FDCWD</>, "x", O_RDWR|O_CREAT|O_TRUNC, 0666) = 3</x>'], []],
    ['are no folders', ['7 openat(AT_FDCWD</>, "x", O_RDONLY|O_DIRECTORY) = 3</x>'], []],
    [
      'are not those that are missing',
      ['7 openat(AT_FDCWD</>, "x", O_RDONLY) = -1 ENOENT (No such file or directory)'],
      [],
    ],
    ['are executed', ['7 execve("/bin/sh", ["sh", "-c", "true"], 0x7ff /* 3 vars */) = 0'], ['/bin/sh']],
    [
      'are not those that cannot be executed',
      ['7 execve("/bin/sh", ["sh"], 0x7ff /* 3 vars */) = -1 EACCES (Permission denied)'],
      [],
    ],
    ['are executed in the first folder', ['7 execve("./t.sh", ["./t.sh"], 0x7ff /* 3 vars */) = 0'], ['/home/p/t.sh']],
    [
      'are executed in another folder',
      [
        '7 chdir("a") = 0',
        '7 chdir("missing") = -1 ENOENT (No such file or directory)',
        '7 execve("./t", ["t"], 0x0 /* 0 vars */) = 0',
      ],
      ['/home/p/a/t'],
    ],
    [
      'are executed in an open folder',
      ['7 fchdir(3</o p>) = 0', '7 execve("t", ["t"], 0x0 /* 0 vars */) = 0'],
      ['/o p/t'],
    ],
    [
      'are executed by children in their folder',
      ['7 chdir("/a") = 0', '7 vfork() = 8', '7 chdir("/b") = 0', '8 execve("t", ["t"], 0x0 /* 0 vars */) = 0'],
      ['/a/t'],
    ],
    [
      'are executed by children that act before their parent knows of them',
      [
        '7 chdir("/a") = 0',
        '7 vfork( <unfinished ...>',
        '8 execve("t", ["t"], 0x0 /* 0 vars */ <unfinished ...>',
        '7 <... vfork resumed>) = 8',
        '8 <... execve resumed>) = 0',
      ],
      ['/a/t'],
    ],
    [
      'are opened by two threads at once',
      [
        '7 openat(AT_FDCWD</>, "a", O_RDONLY <unfinished ...>',
        '8 openat(AT_FDCWD</>, "b", O_RDONLY <unfinished ...>',
        '7 <... openat resumed>) = 3</a>',
        '8 <... openat resumed>)             = 4</b>',
      ],
      ['/a', '/b'],
    ],
    [
      'are none in what else is there',
      ['7 +++ exited with 0 +++', 'strace: Process 8 attached', '', '7 <... openat resumed>) = 3</a>', '7 openat('],
      [],
    ],
  ])('%s', async (_, lines, expected) => {
    expect(await opened(...lines)).toEqual(expected)
  })

  test('may have any name', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async name => {
        const clean = name.replaceAll(/[/\0]/g, '_')
        fc.pre(clean !== '.' && clean !== '..' && Buffer.from(clean).toString() === clean)
        const line = `7 openat(AT_FDCWD<${hex('/a')}>, "${hex(clean)}", O_RDONLY) = 3<${hex(`/a/${clean}`)}>`
        expect([...(await openedFiles([line], '/'))]).toEqual([`/a/${clean}`])
      }),
    ))

  test('lead from compiled modules of Python to their source', () => {
    expect(sourceOf('/p/lib/__pycache__/model.cpython-311.pyc')).toBe('/p/lib/model.py')
    expect(sourceOf('/p/lib/__pycache__/model.cpython-311.opt-1.pyc')).toBe('/p/lib/model.py')
    expect(sourceOf('/p/lib/model.pyc')).toBe('/p/lib/model.pyc')
  })
})
