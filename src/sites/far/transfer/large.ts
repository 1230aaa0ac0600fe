import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { quoteWord } from '../../../domain/text/shell-text.js'
import { OperationError } from '../../../errors.js'
import { digestOfFile } from '../../../system/digest.js'
import { newMark, outputOf } from '../converse.js'
import type { Transport } from '../transport.js'
import type { Listed } from './listing.js'
import type { Mirror } from './mirror.js'

/**
 * Receives large files one after the other, each from where an earlier call has stopped. One that came in several parts is compared
 * with the file there by its digest, and comes once more if it differs; any other by its length.
 * @param root the folder of the run there, absolute
 * @param count is told how many bytes have come
 */
export async function receiveLarge(
  transport: Transport,
  root: string,
  files: readonly Listed[],
  mirror: Mirror,
  count: (bytes: number) => void,
): Promise<void> {
  const damaged = await receive(transport, root, files, mirror, count)
  await receive(transport, root, damaged, mirror, count)
}

/** @returns those that are not as they are there; nothing is left of them */
async function receive(
  transport: Transport,
  root: string,
  files: readonly Listed[],
  mirror: Mirror,
  count: (bytes: number) => void,
): Promise<Listed[]> {
  if (files.length === 0) return []
  const parts = files.map(file => {
    const part = mirror.partOf(file)
    const begun = existsSync(part) ? statSync(part).size : 0
    count(begun)
    return { file, part, begun }
  })
  const mark = newMark()
  const calls = parts.map(({ file, begun }, at) => `send ${quoteWord(`./${file.path}`)} ${begun} ${at}\n`)
  const output = outputOf(transport, [sendScript(root, mark), ...calls])
  const damaged: Listed[] = []
  let at = 0
  let opened: number | null = null
  let lacking = parts[0]!.file.size - parts[0]!.begun
  try {
    for await (const each of splitAt(output, mark, () => lacking)) {
      const { file, part, begun } = parts[at]!
      opened ??= openSync(part, 'a')
      if ('piece' in each) {
        writeFileSync(opened, each.piece)
        count(each.piece.length)
        lacking -= each.piece.length
        continue
      }
      closeSync(opened)
      opened = null
      const [number, ...said] = each.line.split(' ')
      // The end of a file that has become shorter was taken for a part of it.
      if (number !== String(at)) {
        rmSync(part)
        throw new OperationError(`${file.path} has changed while it was fetched`, 'try again')
      }
      at++
      lacking = at < parts.length ? parts[at]!.file.size - parts[at]!.begun : 0
      if (await isWhole(part, said, { ...file, begun })) mirror.finish(file)
      else {
        rmSync(part)
        damaged.push(file)
      }
    }
  } finally {
    if (opened !== null) closeSync(opened)
  }
  return damaged
}

/** @param said what the other machine says of the file after it was sent: its size, its time, and its digest if it was sent in parts */
async function isWhole(
  part: string,
  said: readonly string[],
  { size, time, begun }: Listed & { readonly begun: number },
): Promise<boolean> {
  const [sizeNow, timeNow, digest] = said
  const length = statSync(part).size
  // One that is written meanwhile is here as any reader would see it there.
  if (sizeNow !== String(size) || timeNow !== String(time)) return begun === 0 && length > 0
  return length === size && (!digest || `sha256:${digest}` === (await digestOfFile(part)))
}

function sendScript(root: string, mark: string): string {
  return `cd -- ${quoteWord(root)} || exit
send() {
  tail -c "+$(($2 + 1))" -- "$1" 2>/dev/null
  said=$(stat -c '%s %Y' -- "$1" 2>/dev/null)
  [ "$2" = 0 ] || said="$said $(sha256sum <"$1" 2>/dev/null | cut -d ' ' -f 1)"
  printf '\\n${mark} %s %s\\n' "$3" "$said"
}
`
}

/**
 * Splits an output at lines that begin with a mark: pieces of what is before a line, then the rest of the line.
 * @param lacking how many bytes are surely before the next line: they are passed on without a look
 */
async function* splitAt(
  output: AsyncIterable<Buffer>,
  mark: string,
  lacking: () => number,
): AsyncGenerator<{ readonly piece: Buffer } | { readonly line: string }> {
  const start = Buffer.from(`\n${mark} `)
  let rest = Buffer.alloc(0)
  for await (const chunk of output) {
    if (rest.length === 0 && chunk.length <= lacking()) {
      yield { piece: chunk }
      continue
    }
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const at = rest.indexOf(start)
      const end = at < 0 ? -1 : rest.indexOf('\n', at + 1)
      const sure = at < 0 ? rest.length - start.length : at
      if (sure > 0) yield { piece: rest.subarray(0, sure) }
      if (end >= 0) yield { line: rest.toString('latin1', at + start.length, end) }
      rest = rest.subarray(end < 0 ? Math.max(sure, 0) : end + 1)
      if (end < 0) break
    }
  }
}
