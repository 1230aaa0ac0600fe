import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import type { FetchRules } from '../../domain/data/fetch-rules.js'
import { adviceForRoom } from '../../domain/full-disk.js'
import type { Place } from '../../domain/runs/run-plan.js'
import { quoteWord } from '../../domain/text/shell-text.js'
import { OperationError, SchedulerError } from '../../errors.js'
import { atomicWrite } from '../../system/files.js'
import { changeFolder } from '../../system/folders/changes.js'
import { type Entry, writeEntries } from '../../system/folders/entries.js'
import type { Life, Machine } from '../../system/process-identity.js'
import type { ProgramOptions, ProgramResult } from '../../system/programs.js'
import { readRegular } from '../../system/regular-file.js'
import type { Answers, Kept, ProcessQuery, ProgramQuery, Query, Site, SiteFacts } from '../site.js'
import { converse, newMark } from './converse.js'
import { lifeThere } from './processes.js'
import { afterParts, type Reply, splitReply } from './reply.js'
import {
  changesScript,
  clockScript,
  fetchScript,
  filesScript,
  lateCode,
  missingCode,
  probeScript,
  programLines,
  queriesScript,
} from './scripts.js'
import { startThere } from './start.js'
import { fetchFiles } from './transfer/fetch.js'
import { pushFiles } from './transfer/push.js'
import type { Transport } from './transport.js'
import { unpack } from './unpack.js'

/** Another place of this project: what is in the project's folder here is in another folder there. */
export interface FarPlace {
  readonly transport: Transport
  /** The name of its context. */
  readonly name: string
  readonly project: Place
  /** A folder there that lasts, which finished groups are copied to with the paths that they have in the project; null for none. */
  readonly storage: string | null
  readonly pollInterval: number
  /** Which files of groups come with a visit; null for all that are not large. */
  readonly rules: FetchRules | null
  /** Programs that launches look for: the first question is about all of them. */
  readonly programs: readonly string[]
}

/** The last mark of a run whose files have come here: a file in its mirror. */
const lastMark = '.run/fetched'

/** How long a connection may take for a small request, in milliseconds. */
const patience = 60_000
/** The same for one that moves many files. */
const longPatience = 10 * patience

/** What can be done at another place with nothing but a way for scripts: nothing of ours is installed there. */
export type FarSite = Omit<Site, 'interactive' | 'namespace'>

/** Another place, reached over a connection that is open. */
export function farSite(place: FarPlace): FarSite {
  const { transport } = place
  const { here, there } = place.project
  const path = (own: string) => (own === here || own.startsWith(`${here}/`) ? join(there, relative(here, own)) : own)
  const stored = (own: string) => (place.storage === null ? null : join(place.storage, relative(here, own)))
  let asked: { readonly names: readonly string[]; readonly facts: Promise<SiteFacts> } | null = null
  const probe = (programs: readonly string[] = []) => {
    if (asked && programs.every(name => asked!.names.includes(name))) return asked.facts
    const names = [...new Set([...place.programs, ...(asked?.names ?? []), ...programs])]
    const facts = ask(place, names)
    asked = { names, facts }
    // A login may come meanwhile.
    facts.catch(() => {
      asked = null
    })
    return facts
  }
  return {
    name: place.name,
    isHere: false,
    pollInterval: place.pollInterval,
    patience: longPatience,
    probe,
    there: path,
    stored,
    async put({ here, there }, entries) {
      const mirrored: Entry[] = []
      const mark = newMark()
      const { stdout } = await done(transport, filesScript(there, noting(entries, mirrored), mark), longPatience)
      const open = lines(stdout)
      // Some ways lose the end of what is sent.
      if (open.pop() !== mark) throw new SchedulerError(`the connection to ${transport.host} was lost`, 'try again')
      writeEntries(here, mirrored)
      return open
    },
    async mutate({ here, there }, changes) {
      const { stdout, stderr, code } = await converse(transport, [changesScript(there, changes)], patience)
      if (code !== 0) throw errorOfFiles(stdout, stderr)
      changeFolder(here, changes)
    },
    visit: (queries, places, ending) => visit(place, queries, places, ending),
    async run(command, options, kept) {
      const { cwd, input, ending } = options
      const script = programLines(command, {
        ...options,
        ...(cwd !== undefined && { cwd: path(cwd) }),
        hasInput: input !== undefined,
      })
      const lines = kept ? beginKept(kept, script) : ending ? endingWithInput(script) : `(\n${script}\n)\n`
      const streams = { ...(ending && { ending }), input: input ?? (ending ? nothingUntil(ending) : null) }
      return resultOf(await converse(transport, [lines], options.timeout + patience, streams), options)
    },
    fetch: (run, wish) => fetchFiles(transport, run, stored(run.here), wish),
    push: (folder, request) => pushFiles(transport, path(folder), request),
    start: command => startThere(transport, async () => (await probe()).machine, command),
  }
}

/** Passes entries on; those that are no secret are kept. */
function* noting(entries: Iterable<Entry>, kept: Entry[]): Generator<Entry> {
  for (const entry of entries) {
    const text = [...entry.text]
    if (entry.access !== 'secret') kept.push({ ...entry, text })
    yield { ...entry, text }
  }
}

/**
 * Makes what is to be there before a program in the mirror of a run.
 * @returns lines that make the same there, run the program with its output in two files, and print these: they are complete even if
 * the connection is lost
 */
function beginKept({ place: { here, there }, before: { changes, entries }, output }: Kept, script: string): string {
  changeFolder(here, changes)
  writeEntries(here, entries)
  const [stdout, stderr] = output.map(file => quoteWord(`${there}/${file}`))
  const files = [...filesScript(there, entries, newMark())].join('')
  return `(\n${files}\n) >/dev/null && (\n${changesScript(there, changes)}\n) || exit\n(\n${script}\n) >${stdout} 2>${stderr}\ncode=$?\ncat -- ${stdout}; cat -- ${stderr} >&2\nexit "$code"\n`
}

/** Runs lines until they end, or until the standard input does: the connection was closed. */
function endingWithInput(script: string): string {
  return `exec 3<&0
(
${script}
) </dev/null 3<&- &
program=$!
(while read -r line; do :; done <&3; kill "$program") >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$program"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`
}

/** A standard input that stays open. */
async function* nothingUntil(ending: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise(resolve => ending.addEventListener('abort', resolve))
}

async function ask({ transport }: FarPlace, programs: readonly string[]): Promise<SiteFacts> {
  const { stdout } = await done(transport, [probeScript(programs)], patience)
  const text = stdout.toString('utf8')
  const head = text.split('\n', 5)
  const rest = text.slice(head.join('\n').length + 1)
  const end = rest.startsWith('\n') ? 0 : rest.indexOf('\n\n') + 1
  const variables = rest
    .slice(end + 1)
    .split('\0')
    .filter(each => each.includes('='))
  return {
    machine: machineIn(head),
    user: head[4]!,
    programs: new Set(
      rest
        .slice(0, end)
        .split('\n')
        .filter(name => name !== ''),
    ),
    variables: Object.fromEntries(
      variables.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    ),
  }
}

/** @param lines see `machineScript` */
function machineIn([host, machineId, bootId, namespace]: readonly string[]): Machine {
  return { host: host!, machineId: machineId || null, bootId: bootId!, namespace: namespace || null }
}

async function visit(
  place: FarPlace,
  queries: readonly Query[],
  places: readonly Place[],
  ending?: AbortSignal,
): Promise<Answers> {
  const programs = queries.filter((query): query is ProgramQuery => 'command' in query)
  const processes = queries.filter((query): query is ProcessQuery => 'process' in query)
  const mark = newMark()
  const clock = { key: 'clock', command: ['sh', '-c', clockScript], options: { timeout: patience } }
  const asked = [...programs, clock]
  const { here, there } = place.project
  const folders = places.map(each => relative(there, each.there))
  const fetched = places.map((each, at) => ({ folder: folders[at]!, mark: readRegular(join(each.here, lastMark)) }))
  const script = [
    queriesScript(asked, processes, mark),
    ...(folders.length > 0 ? [fetchScript(there, fetched, mark, place.rules)] : []),
  ]
  const { stdout, stderr } = await done(place.transport, script, longPatience, ending)
  const [said, complained] = [splitReply(stdout, mark), splitReply(stderr, mark)]
  const part = (at: number) => said.get(String(at))?.text ?? Buffer.alloc(0)
  const results = programs.map(({ key, options }, at): [string, ProgramResult] => {
    const code = Number(said.get(String(at))?.word ?? missingCode)
    return [
      key,
      resultOf({ stdout: part(at), stderr: complained.get(String(at))?.text ?? Buffer.alloc(0), code }, options),
    ]
  })
  const facts = part(programs.length).toString('latin1').split('\n')
  const lives = processes.map((query, at): [string, Life] => {
    const printed = part(asked.length + at).toString('latin1')
    return [query.key, lifeThere(machineIn(facts), query, printed, facts.slice(4).join('\n'))]
  })
  if (folders.length > 0) {
    const archive = afterParts(stdout, mark)
    if (archive.length > 0) await unpack(Readable.from([archive]), here, folders)
    for (const each of places) if (existsSync(join(each.here, '.run'))) atomicWrite(join(each.here, lastMark), mark)
  }
  return new Map<string, ProgramResult | Life>([...results, ...lives])
}

function resultOf({ stdout, stderr, code }: Reply, { encoding = 'utf8', digests }: ProgramOptions): ProgramResult {
  const text = (output: Buffer, as: 'utf8' | 'latin1') => output.toString(as).replace(/\r?\n$/, '')
  const [isMissing, isLate] = [code === missingCode, code === lateCode]
  return {
    stdout: isMissing ? '' : text(stdout, encoding),
    stderr: isMissing ? '' : text(stderr, 'utf8'),
    exitCode: isMissing || isLate ? null : code,
    ending: isMissing ? 'missing' : isLate ? 'timeout' : 'exit',
    ...(digests && { digest: createHash('sha256').update(stdout).digest('hex') }),
  }
}

/** The reply to a script that has to succeed. @throws OperationError with the last line that it printed */
async function done(
  transport: Transport,
  script: Iterable<string>,
  timeout: number,
  ending?: AbortSignal,
): Promise<Reply> {
  const reply = await converse(transport, script, timeout, ending && { ending })
  if (reply.code === 0) return reply
  const reason = lines(reply.stderr).at(-1) ?? `exit ${reply.code}`
  throw new OperationError(`${transport.host} has refused: ${reason}`, adviceForRoom(reason) ?? 'try again')
}

/** The error of the file system that a script of changes has printed. */
function errorOfFiles(stdout: Buffer, stderr: Buffer): Error {
  const [, code = 'EIO', path = lines(stderr).at(-1)] = /^([A-Z]+) (.*)$/m.exec(stdout.toString('utf8')) ?? []
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}

function lines(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
}
