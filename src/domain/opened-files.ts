/** What strace has to be told, so that {@link openedFiles} understands what it writes. */
export const straceOptions: readonly string[] = [
  // Names are written as hexadecimal bytes, so that no name can look like another part of a line.
  ...['-f', '-qq', '-y', '-xx', '-s', '4096', '--seccomp-bpf', '-e', 'signal=none'],
  ...['-e', 'trace=?open,openat,?openat2,execve,execveat,chdir,fchdir,?fork,?vfork,clone,?clone3'],
]

const call = /^(\d+) +(\w+)\((.*)\) += +(-?\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?/
const unfinished = /^(\d+) +((\w+)\(.*) <unfinished \.\.\.>$/
const resumed = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/
const text = String.raw`"((?:\\x[0-9a-f]{2})*)"`
/** A folder that a path is relative to, where the call has one, and the path. */
const pathArgument = new RegExp(String.raw`^(?:(?:AT_FDCWD|-?\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?, )?${text}`)

/**
 * The files that the processes of a trace of strace have opened to read, or executed: absolute paths, those by which they
 * were named and those that they have without links. Folders and calls that failed are left out.
 * @param lines of a trace with {@link straceOptions}
 * @param directory in which the first process started, absolute
 */
export async function openedFiles(
  lines: AsyncIterable<string> | Iterable<string>,
  directory: string,
): Promise<Set<string>> {
  const found = new Set<string>()
  const folders = new Map<string, string>()
  const pending = new Map<string, string>()
  /** The process whose call to start another one is under way: that one may act before the call returns. */
  let parent = ''
  for await (const written of lines) {
    const begun = unfinished.exec(written)
    if (begun) {
      const [, pid = '', start = '', name = ''] = begun
      pending.set(pid, `${pid} ${start}`)
      if (isStart(name)) parent = pid
      continue
    }
    const [, later = '', , end = ''] = resumed.exec(written) ?? []
    const line = later === '' ? written : `${pending.get(later) ?? ''}${end}`
    const [, pid = '', name = '', given = '', result = '', opened] = call.exec(line) ?? []
    if (pid === '') continue
    if (!folders.has(pid)) folders.set(pid, folders.get(parent) ?? directory)
    if (Number(result) < 0) continue
    const folder = folders.get(pid)!
    const [, base, path] = pathArgument.exec(given) ?? []
    const named = path === undefined ? null : joined(base === undefined ? folder : decoded(base), decoded(path))
    if (isStart(name)) folders.set(result, folders.get(result) ?? folder)
    else if (name === 'fchdir') folders.set(pid, decoded(/<(.*)>/.exec(given)?.[1] ?? '') || folder)
    else if (named === null) continue
    else if (name === 'chdir') folders.set(pid, named)
    else if (name.startsWith('exec') || isRead(given)) {
      found.add(named)
      if (opened) found.add(decoded(opened))
    }
  }
  return found
}

/** The module whose compiled form Python opens instead of it; the path itself for any other file. */
export function sourceOf(path: string): string {
  return path.replace(/(^|\/)__pycache__\/([^/.]+)\.[^/]*\.pyc$/, '$1$2.py')
}

function isStart(name: string): boolean {
  return /^v?fork$|^clone3?$/.test(name)
}

function isRead(given: string): boolean {
  return !/\bO_(?:WRONLY|DIRECTORY|PATH|TRUNC)\b/.test(given)
}

/** Bytes as `\x2f\x74`. */
function decoded(hexadecimal: string): string {
  const bytes = hexadecimal.split('\\x').slice(1)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes, byte => Number.parseInt(byte, 16)))
}

/** An absolute path without `.` and `..`. */
function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${path.startsWith('/') ? '' : folder}/${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
