import { posix } from 'node:path'
import { quoteWord } from '../../../domain/text/shell-text.js'
import { outputOf } from '../converse.js'
import type { Transport } from '../transport.js'
import { unzipped } from './unzipped.js'

/** A file or a link in the folder of a run there. */
export interface Listed {
  /** Relative to the folder of the run. */
  readonly path: string
  /** In bytes; of a link 0. */
  readonly size: number
  /** When it was changed, in whole seconds, as archives have it. */
  readonly time: number
  /** Where a link leads, relative to its own folder; null for a file. */
  readonly link: string | null
}

/** What is in the folder of a run there. */
export interface Listing {
  readonly files: readonly Listed[]
  /** Links that lead out of the folder, relative to it. */
  readonly outside: readonly string[]
  /** Files whose names are no UTF-8. */
  readonly unnamed: readonly Listed[]
}

/**
 * Lists the files of a folder of a run there.
 * @param root the folder of the run, absolute
 * @param folder in it, relative to it; empty for all
 * @returns null if the run has no folder there
 */
export async function listThere(transport: Transport, root: string, folder: string): Promise<Listing | null> {
  const pieces: Buffer[] = []
  for await (const piece of unzipped(outputOf(transport, [listScript(root, folder)]))) pieces.push(piece)
  const [first, ...words] = split(Buffer.concat(pieces))
  return first === undefined ? null : readListing(root, words)
}

/** Tells the same where find cannot, as that of busybox. */
const tellEach = `for each; do
  if [ -L "$each" ]; then printf 'l 0 %s %s\\0%s\\0' "$(stat -c %Y -- "$each")" "$each" "$(readlink -- "$each")"
  else printf 'f %s %s\\0\\0' "$(stat -c '%s %Y' -- "$each")" "$each"
  fi
done`

/** Prints for each file its kind, size, time and path, and where it leads if it is a link, all but our own marks and the secrets. */
function listScript(root: string, folder: string): string {
  const start = quoteWord(folder === '' ? '.' : `./${folder}`)
  const own = ['.run/secrets', '.run/*/secrets', '.run/fetched.*', '.run/run.yaml'].map(path => `! -path './${path}'`)
  return `{
if cd -- ${quoteWord(root)} 2>/dev/null; then
  printf 'there\\0'
  set -- ${start} '(' -type f -o -type l ')' ${own.join(' ')}
  if find . -prune -printf '' 2>/dev/null; then find "$@" -printf '%y %s %T@ %p\\0%l\\0' 2>/dev/null
  else find "$@" -print0 2>/dev/null | xargs -0 -n 500 sh -c ${quoteWord(tellEach)} sh
  fi
fi
} | gzip -c
`
}

function split(output: Buffer): Buffer[] {
  const words: Buffer[] = []
  for (let from = 0, to = output.indexOf(0); to >= 0; from = to + 1, to = output.indexOf(0, from))
    words.push(output.subarray(from, to))
  return words
}

function readListing(root: string, words: readonly Buffer[]): Listing {
  const [files, outside, unnamed]: [Listed[], string[], Listed[]] = [[], [], []]
  for (let at = 0; at + 1 < words.length; at += 2) {
    const text = words[at]!.toString('utf8')
    const [, kind, size, time, path = ''] = /^([fl]) (\d+) (\d+)\S* \.\/(.*)$/s.exec(text) ?? []
    if (!isInside(path)) continue
    const entry = { path, size: kind === 'f' ? Number(size) : 0, time: Number(time), link: null }
    const link = kind === 'f' ? null : insideLink(root, path, words[at + 1]!.toString('utf8'))
    if (kind === 'l' && link === null) outside.push(path)
    else if (Buffer.from(text).equals(words[at]!)) files.push({ ...entry, link })
    else unnamed.push(entry)
  }
  return { files, outside, unnamed }
}

/** Whether a path that another machine tells stays in a folder. */
function isInside(path: string): boolean {
  return path !== '' && !path.split('/').some(part => part === '' || part === '.' || part === '..')
}

/**
 * Where a link leads, relative to its own folder; null if that is out of the folder of the run. `..` may only come first: behind
 * another link, it could lead anywhere.
 */
function insideLink(root: string, path: string, target: string): string | null {
  const folder = posix.dirname(`/${path}`)
  const near = target.startsWith(`${root}/`) ? posix.relative(folder, `/${target.slice(root.length + 1)}`) : target
  const [, ups, rest] = /^((?:\.\.(?:\/|$))*)(.*)$/s.exec(near.replace(/^\.\//, ''))!
  const levels = folder.split('/').filter(part => part !== '').length
  const isIn = ups!.split('..').length - 1 <= levels && (rest === '' || isInside(rest!.replace(/\/$/, '')))
  return near !== '' && isIn ? near : null
}
