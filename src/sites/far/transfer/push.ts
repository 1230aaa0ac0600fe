import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { quoteWord, quoteWords } from '../../../domain/text/shell-text.js'
import { OperationError } from '../../../errors.js'
import { digestOfFile } from '../../../system/digest.js'
import type { FileHere, Pushed, PushRequest } from '../../site.js'
import { outputOf } from '../converse.js'
import type { Transport } from '../transport.js'
import { type Listed, listThere } from './listing.js'

/** As for what is fetched: files up to this size go in one archive; in bytes. */
const small = 4 * 1024 * 1024

/** Beside the files there: parts of large ones. */
const partsFolder = '.parts'

/**
 * Makes a folder there have these files, and no others; see `Site.push`. They are collected in a folder beside it, which takes its
 * place at the end.
 */
export async function pushFiles(transport: Transport, folder: string, request: PushRequest): Promise<Pushed> {
  const { files, progress } = request
  const part = `${folder}.part`
  await run(transport, prepareScript(folder, part))
  const before = await lookAt(transport, part, files)
  await run(transport, removeScript(part), namesOf(before.others))
  const total = before.lacking.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const count = (bytes: number) => {
    done += bytes
    progress(done, total)
  }
  const isSmall = ({ size }: FileHere) => size <= small
  await sendArchive(transport, part, request.top, before.lacking.filter(isSmall), count)
  const large = before.lacking.filter(file => !isSmall(file))
  await sendLarge(transport, part, request.top, large, before.parts, count)
  let now = before.lacking.length > 0 ? await lookAt(transport, part, files) : before
  // What was sent in parts and differed is gone there.
  await sendLarge(
    transport,
    part,
    request.top,
    now.lacking.filter(file => large.includes(file)),
    new Map(),
    () => {},
  )
  if (now.lacking.length > 0) now = await lookAt(transport, part, files)
  const [first] = now.lacking
  if (first) throw new OperationError(`${first.path} has changed while it was sent, or cannot be read`, 'try again')
  await run(transport, finishScript(folder, part))
  return { sent: before.lacking }
}

/** What is there of files that are to be there. */
interface Look {
  readonly lacking: readonly FileHere[]
  /** Paths of files that are not to be there, or not so. */
  readonly others: readonly string[]
  /** How much has come of large files, by the names of their parts. */
  readonly parts: ReadonlyMap<string, number>
}

async function lookAt(transport: Transport, part: string, files: readonly FileHere[]): Promise<Look> {
  const listing = await listThere(transport, part, '')
  const there = [...(listing?.files ?? []), ...(listing?.unnamed ?? [])]
  const [parts, whole] = [true, false].map(isPart =>
    there.filter(({ path }) => path.startsWith(`${partsFolder}/`) === isPart),
  )
  const isLike = (one: Listed, other: FileHere | undefined) =>
    one.link === null && one.size === other?.size && one.time === other.time
  const wanted = new Map(files.map(file => [file.path, file]))
  const good = new Set(whole!.filter(each => isLike(each, wanted.get(each.path))).map(({ path }) => path))
  const known = new Set(files.map(partName))
  const names = parts!.map(({ path, size }) => [path.slice(partsFolder.length + 1), size] as const)
  return {
    lacking: files.filter(({ path }) => !good.has(path)),
    others: [
      ...whole!.filter(({ path }) => !good.has(path)).map(({ path }) => path),
      ...names.flatMap(([name]) => (known.has(name) ? [] : `${partsFolder}/${name}`)),
    ],
    parts: new Map(names),
  }
}

function partName({ path, size, time }: FileHere): string {
  return `${createHash('sha256').update(path).digest('hex')}.${size}.${time}`
}

async function sendArchive(
  transport: Transport,
  part: string,
  top: string,
  files: readonly FileHere[],
  count: (bytes: number) => void,
): Promise<void> {
  if (files.length === 0) return
  const { create } = await import('tar')
  const packed = create(
    {
      cwd: top,
      gzip: true,
      follow: true,
      noDirRecurse: true,
      onWriteEntry: ({ stat }) => count(stat?.size ?? 0),
    },
    files.map(({ path }) => `./${path}`),
  )
  await run(transport, `cd -- ${quoteWord(part)} && tar -xzf -\n`, packed as AsyncIterable<Buffer>)
}

/** @param parts what is there of them already */
async function sendLarge(
  transport: Transport,
  part: string,
  top: string,
  files: readonly FileHere[],
  parts: Look['parts'],
  count: (bytes: number) => void,
): Promise<void> {
  if (files.length === 0) return
  const begun = files.map(file => ({ file, from: Math.min(parts.get(partName(file)) ?? 0, file.size) }))
  const lines: string[] = []
  for (const { file, from } of begun) {
    count(from)
    const digest = from === 0 ? '' : (await digestOfFile(join(top, file.path))).replace(/^sha256:/, '')
    const { path, size, time } = file
    lines.push(
      `take ${quoteWords([`./${path}`, `./${dirname(path)}`, partName(file), `${from}`, `${size}`, `${time}`, digest])}\n`,
    )
  }
  async function* content() {
    for (const { file, from } of begun) {
      if (from === file.size) continue
      for await (const piece of createReadStream(join(top, file.path), { start: from, end: file.size - 1 })) {
        count((piece as Buffer).length)
        yield piece as Buffer
      }
    }
  }
  await run(transport, `${takeScript(part)}${lines.join('')}`, content())
}

async function run(
  transport: Transport,
  script: string,
  input: AsyncIterable<Uint8Array> | null = null,
): Promise<void> {
  for await (const _ of outputOf(transport, [script], input)) {
    // It prints nothing that is needed.
  }
}

async function* namesOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield Buffer.from(`./${path}\0`)
}

/** What an earlier call has sent is the beginning; links to it take no space. */
function prepareScript(folder: string, part: string): string {
  const [made, from] = [quoteWord(part), quoteWord(folder)]
  return `mkdir -p -- ${made} && cd -- ${made} || exit
if [ -z "$(ls -A)" ] && [ -d ${from} ]; then cp -al -- ${from}/. . 2>/dev/null || cp -a -- ${from}/. . || exit; fi
`
}

function removeScript(part: string): string {
  return `cd -- ${quoteWord(part)} && xargs -0 rm -f -- && find . -mindepth 1 -depth -type d -empty -exec rmdir -- {} ';'\n`
}

/** Takes the rest of each file from the standard input. */
function takeScript(part: string): string {
  return `cd -- ${quoteWord(part)} && mkdir -p ${partsFolder} || exit
# Where tar reads no list it is that of busybox, whose head reads more than it prints.
bytes() {
  if tar -cf /dev/null --null -T /dev/null 2>/dev/null; then head -c "$1"
  else dd bs=65536 count="$(($1 / 65536))" iflag=fullblock 2>/dev/null && dd bs=1 count="$(($1 % 65536))" 2>/dev/null
  fi
}
take() {
  part=${partsFolder}/$3
  touch -- "$part" && [ "$(wc -c <"$part")" -eq "$4" ] || exit
  bytes "$(($5 - $4))" >>"$part" && [ "$(wc -c <"$part")" -eq "$5" ] || exit
  if [ -n "$7" ] && said=$(sha256sum <"$part" 2>/dev/null) && [ "\${said%% *}" != "$7" ]; then
    rm -f -- "$part"
    return
  fi
  touch -d "@$6" -- "$part" && mkdir -p -- "$2" && mv -f -- "$part" "$1" || exit
}
`
}

function finishScript(folder: string, part: string): string {
  const [now, next, old] = [folder, part, `${folder}.old`].map(quoteWord)
  return `rm -rf -- ${old} ${quoteWord(`${part}/${partsFolder}`)} || exit
if [ -e ${now} ]; then mv -- ${now} ${old} || exit; fi
mv -- ${next} ${now} && rm -rf -- ${old}
`
}
