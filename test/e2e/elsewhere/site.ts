import fs, { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { Place } from '../../../src/domain/runs/run-plan.js'
import type { Answers, ProgramQuery, Query, Site, Started } from '../../../src/sites/site.js'
import { startInBackground } from '../../../src/system/background.js'
import { changeFolder } from '../../../src/system/folders/changes.js'
import { writeEntries } from '../../../src/system/folders/entries.js'
import type { Life, Machine, ProcessIdentity } from '../../../src/system/process-identity.js'
import {
  changedEnvironment,
  type EnvironmentChange,
  type ProgramOptions,
  type ProgramResult,
  runProgram,
} from '../../../src/system/programs.js'

/** The folder of the machine that {@link Elsewhere} plays. */
const folder = () => process.env.QANAT_ELSEWHERE!
const read = (name: string) => readFileSync(`${folder()}/${name}`, 'utf8')
const machine = () => (JSON.parse(read('facts.json')) as { machine: Machine }).machine
const variables = () => JSON.parse(read('variables')) as Record<string, string>

/** The words that run a command there, of whose environment nothing comes from here. */
function there(command: readonly string[], change: EnvironmentChange = {}, cwd = '/'): string[] {
  const enter = ['nsenter', `--target=${read('pid')}`, '--pid', '--mount', '--uts']
  const changed = Object.entries(changedEnvironment(variables(), change)).map(([name, value]) => `${name}=${value}`)
  return [...enter, 'env', '-i', ...changed, 'sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command]
}

function run(command: readonly string[], { environment, cwd, ...options }: ProgramOptions): Promise<ProgramResult> {
  return runProgram(there(command, environment, cwd), options)
}

async function lives(queries: readonly Query[]): Promise<readonly (readonly [string, Life])[]> {
  const ofProcesses = queries.filter(query => 'process' in query)
  if (ofProcesses.length === 0) return []
  const processes = JSON.stringify(ofProcesses.map(({ process }) => process))
  const { stdout, stderr } = await run([process.execPath, `${folder()}/facts.cjs`, processes], { timeout: 600_000 })
  if (stdout === '') throw new Error(stderr)
  const answers = (JSON.parse(stdout) as { lives: Life[] }).lives
  return ofProcesses.map(({ key }, at) => [key, answers[at]!])
}

/** The process that a program became which entered the namespaces of the machine, as it is known there. */
function identityThere(entered: number): ProcessIdentity {
  for (;;) {
    const [child] = readFileSync(`/proc/${entered}/task/${entered}/children`, 'utf8').split(' ')
    if (!child) continue
    const [, pid] = /^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${child}/status`, 'utf8'))!
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { ...machine(), pid: Number(pid), start: fields[19]! }
  }
}

/** A path of there by which this site alone reaches a file. */
const reached = (path: string) => `/proc/${read('pid')}/root${path}`

/** Fetches what is new in the folders of runs, as far as they are there. */
async function fetch(): Promise<void> {
  const places = existsSync(`${folder()}/places`) ? new Set(read('places').trim().split('\n')) : []
  for (const line of places) {
    const { here, there } = JSON.parse(line) as Place
    if (![here, reached(there)].every(path => existsSync(path))) continue
    const { stderr } = await runProgram(['rsync', '--archive', `${reached(there)}/`, `${here}/`], { timeout: 600_000 })
    if (stderr !== '') throw new Error(stderr)
  }
}

/** A machine on which this program does not run, with folders of runs that nobody else can reach. */
export const elsewhere: Site = {
  name: 'elsewhere',
  isHere: false,
  pollInterval: null,
  patience: 600_000,
  there: path => `${folder()}/root${path}`,
  async put({ here, there }, entries) {
    const all = [...entries].map(entry => ({ ...entry, text: [...entry.text] }))
    mkdirSync(reached(there), { recursive: true })
    appendFileSync(`${folder()}/places`, `${JSON.stringify({ here, there })}\n`)
    const open = writeEntries(reached(there), all)
    writeEntries(
      here,
      all.filter(({ access }) => access !== 'secret'),
    )
    return open
  },
  async mutate({ here, there }, changes) {
    await fetch()
    for (const place of [reached(there), here]) changeFolder(place, changes)
  },
  async probe(programs = []) {
    const shell = 'for name; do ! command -v -- "$name" >/dev/null || echo "$name"; done'
    const found = programs.length > 0 ? await run(['sh', '-c', shell, 'sh', ...programs], { timeout: 600_000 }) : null
    const names = new Set(found?.stdout.split('\n').filter(name => name !== ''))
    return { machine: machine(), user: 'somebody', variables: variables(), programs: names }
  },
  async visit(queries): Promise<Answers> {
    const ofPrograms = queries.filter((query): query is ProgramQuery => 'command' in query)
    const printed = ofPrograms.map(async ({ key, command, options }) => [key, await run(command, options)] as const)
    const answers = [...(await lives(queries)), ...(await Promise.all(printed))]
    // After the questions: a process that has ended by then has recorded it.
    await fetch()
    return new Map<string, ProgramResult | Life>(answers)
  },
  async fetch() {},
  run(command, options, into) {
    if (!into) return run(command, options)
    return run(['sh', '-c', 'exec >"$1" 2>"$2"; shift 2; exec "$@"', 'sh', ...into, ...command], options)
  },
  async start(command): Promise<Started> {
    const started = startInBackground(there(command))
    return {
      identity: started.identity && identityThere(started.identity.pid),
      tell: started.tell,
      get answer() {
        return started.answer
      },
      end: started.end,
      leave: started.leave,
    }
  },
}

/** Notes and refuses whatever this program does here to a path that is one of there. */
function guard(functions: Record<string, unknown>): void {
  for (const [name, original] of Object.entries(functions)) {
    if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue
    const guarded = (...words: unknown[]) => {
      const path = words.slice(0, 2).find(word => typeof word === 'string' && word.startsWith(elsewhere.there('/')))
      if (path === undefined) return original(...words)
      fs.writeSync(fs.openSync(`${folder()}/opened`, 'a'), `${name} ${path}\n`)
      throw new Error(`${path} is no path of this machine`)
    }
    functions[name] = Object.assign(guarded, original)
  }
}

guard(fs as unknown as Record<string, unknown>)
guard(fs.promises as unknown as Record<string, unknown>)
syncBuiltinESMExports()
