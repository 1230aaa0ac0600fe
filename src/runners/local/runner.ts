import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JOB_ENVIRONMENT_KEYS, type JobEnvironment, unknownTemplateKey } from '../../domain/job-environment.js'
import { type GroupReport, hasEnded } from '../../domain/runs/run.js'
import { launchedCount, launchFolder, planLines } from '../../domain/runs/run-plan.js'
import { OperationError, UserError } from '../../errors.js'
import { cancelFile, forgetCancellation } from '../../runfolder/layout.js'
import { faultPoint } from '../../system/fault-point.js'
import { atomicWrite } from '../../system/files.js'
import { pause } from '../../system/pause.js'
import { identify, isAlive, isHere, type ProcessIdentity } from '../../system/process-identity.js'
import { hasProgram } from '../../system/programs.js'
import { jobScript } from '../job-script.js'
import { textOfRecord } from '../record-text.js'
import type { JobHandle, Limits, PolledRun, Prepared, Runner, SubmissionIntent } from '../types.js'
import { logFile, readRecords, supervisorFile } from './records.js'
import { reportGroups } from './report.js'
import { gracePeriod, killGroups, sendSignal, stopWorkers } from './stop.js'
import type { Order } from './supervisor.js'

/** Groups run on this machine, in slots, under a supervisor that is a session of its own. */
export const localRunner: Runner = {
  name: 'local',
  isScheduler: false,
  usualLimits: limits(),

  parseOptions(keys) {
    for (const key of Object.keys(keys)) throw unknownTemplateKey(key, JOB_ENVIRONMENT_KEYS)
  },

  async probe(environment) {
    const [program] = shellOf(environment)
    if (!hasProgram(program!)) {
      throw new UserError(`no shell '${program}' on this machine`, "change 'shell' in the template")
    }
    waiting ??= startSupervisor()
    return limits()
  },

  prepare: (plan, options, limits) => ({
    plan,
    options,
    limits,
    files: [
      { path: `${launchFolder(plan.attempt)}/job.sh`, text: [jobScript(plan)], executable: true },
      ...(plan.indices ? [] : [{ path: '.run/plan', text: planLines(plan) }]),
    ],
    submissions: [],
  }),

  async *submit(prepared) {
    forgetCancellation(prepared.plan.storagePath)
    const supervisor = waiting ?? startSupervisor()
    waiting = null
    // Known before it has its order: where this program is killed, nobody takes for lost what is about to start.
    const identity = supervisor.pid === undefined ? null : identify(supervisor.pid)
    if (identity) yield handleOf(prepared.plan, identity)
    await giveOrder(prepared, supervisor)
  },

  async find(intent) {
    const path = `${intent.storagePath}/${supervisorFile(intent.attempt)}`
    const handles = existsSync(path)
      ? [handleOf(intent, JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity)]
      : []
    return { handles, final: true }
  },

  async poll(runs) {
    const here = runs.filter(({ handles }) => handles.length > 0 && isHere(supervisorOf(handles.at(-1)!)))
    return new Map(here.map(run => [run.token, { answered: true, reports: reportRun(run) }]))
  },

  async cancel(handles, now = false) {
    await Promise.all(handles.map(handle => cancelOne(handle, now)))
  },

  async settle(handle, milliseconds, stop) {
    const done = new AbortController()
    const either = AbortSignal.any([stop, done.signal])
    const end = handle && (ends.get(handle.token) ?? endOf(supervisorOf(handle), either))
    await Promise.race([pause(milliseconds, either), ...(end ? [end] : [])])
    done.abort()
  },

  describe: () => '',

  async explain(handles, index) {
    const { ends, starts } = readRecords(handles.at(-1)!.storagePath)
    const supervisor = supervisorOf(handles.at(-1)!)
    const life = !isHere(supervisor) ? `is of the host ${supervisor.host}` : isAlive(supervisor) ? 'lives' : 'has ended'
    const witnesses = [
      { name: 'supervisor', text: `process ${supervisor.pid} ${life}` },
      { name: 'exit record', text: textOfRecord(ends.get(index) ?? starts.get(index)?.at(-1) ?? null) },
    ]
    return { witnesses, release: null }
  },

  logFiles: handles => handles.map(({ storagePath }) => ({ title: 'supervisor', path: `${storagePath}/${logFile}` })),
}

function limits(): Limits {
  return { identity: hostname(), groupsPerSubmission: Number.POSITIVE_INFINITY }
}

/** An end is final; only the lost can be found again. */
function reportRun(run: PolledRun): GroupReport[] {
  return reportGroups(run, run.handles.map(supervisorOf)).filter(({ index }) => {
    const last = run.known.get(index)?.status.state
    return last === undefined || last === 'lost' || !hasEnded(last)
  })
}

/** Resolves when a supervisor that another process has started is gone. */
async function endOf(supervisor: ProcessIdentity, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && isAlive(supervisor)) await sleep(50)
}

/** Resolved when a supervisor that this process has started ends, by token. */
const ends = new Map<string, Promise<unknown>>()

/** Started while the launch is still being prepared, since a process takes its time to start; it waits for its order. */
let waiting: ChildProcess | null = null

function startSupervisor(): ChildProcess {
  const supervisor = spawn(process.execPath, [join(import.meta.dirname, 'supervisor.cjs')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  supervisor.unref()
  for (const stream of [supervisor.stdin!, supervisor.stdout!]) (stream as Socket).unref()
  return supervisor
}

/** Resolves once the supervisor has it. @throws OperationError where it does not live */
async function giveOrder({ plan }: Prepared, supervisor: ChildProcess): Promise<void> {
  const order: Order = {
    storagePath: plan.storagePath,
    attempt: plan.attempt,
    groupCount: plan.groupCount,
    slots: Math.min(plan.slots ?? 1, launchedCount(plan)),
    shell: shellOf(plan.environment),
    indices: plan.indices,
  }
  supervisor.stdin!.on('error', () => {})
  faultPoint('order-ready')
  supervisor.stdin!.end(`${JSON.stringify(order)}\n`)
  ends.set(plan.token, once(supervisor, 'exit'))
  faultPoint('order-given')
  await isReady(supervisor)
  faultPoint('order-taken')
  supervisor.stdout!.destroy()
}

async function isReady(supervisor: ChildProcess): Promise<void> {
  ;(supervisor.stdout as Socket).ref()
  // Its end, too, is waited for: where that is all that comes, this process would end without a word.
  supervisor.ref()
  const failure: { message: string; code?: string } | null = await Promise.race([
    once(supervisor.stdout!, 'data').then(([text]) => (String(text) === 'ready\n' ? null : JSON.parse(String(text)))),
    once(supervisor, 'exit').then(([code]) => ({ message: `it ended with code ${code}` })),
    once(supervisor, 'error').then(([error]) => error as Error),
  ])
  supervisor.unref()
  if (failure?.code) throw Object.assign(new Error(failure.message), { code: failure.code })
  if (failure) {
    throw new OperationError(
      `the supervisor of the run did not start: ${failure.message}`,
      'try again; nothing was kept',
    )
  }
}

function handleOf(intent: SubmissionIntent, supervisor: ProcessIdentity): JobHandle {
  const { token, storagePath, groupCount, jobName, attempt, indices } = intent
  const identity = { token, storagePath, groupCount, jobName, attempt, indices }
  return { ...identity, first: 0, count: launchedCount(intent), id: String(supervisor.pid), data: { ...supervisor } }
}

function supervisorOf(handle: JobHandle): ProcessIdentity {
  return handle.data as unknown as ProcessIdentity
}

/** The words that start the shell of a slot; bash gives each group a process group without another program. */
function shellOf(environment: JobEnvironment): readonly string[] {
  if (environment.shell.length > 0) return environment.shell
  return hasProgram('bash') ? ['bash'] : ['sh']
}

async function cancelOne(handle: JobHandle, now: boolean): Promise<void> {
  const supervisor = supervisorOf(handle)
  if (!isHere(supervisor)) {
    throw new OperationError(`the run lives on ${supervisor.host}`, `cancel it there`)
  }
  atomicWrite(`${handle.storagePath}/${cancelFile}`, `${new Date().toISOString()}\n`)
  faultPoint('cancel-marked')
  if (now) killGroups(handle.storagePath)
  if (isAlive(supervisor)) sendSignal(supervisor.pid, 'SIGTERM')
  faultPoint('cancel-signalled')
  while (isAlive(supervisor)) await sleep(20)
  // It may have been killed, now or before, and its groups may live on.
  await stopWorkers(handle.storagePath, now ? 0 : gracePeriod)
}
