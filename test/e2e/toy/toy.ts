import { signalName } from '../../../src/domain/runs/group-record.js'
import { launchedCount, launchFolder, type RunPlan } from '../../../src/domain/runs/run-plan.js'
import type { SchedulerState } from '../../../src/domain/runs/verdicts.js'
import { SchedulerError, UserError } from '../../../src/errors.js'
import { begunSubmissions } from '../../../src/runfolder/evidence/submissions.js'
import { recordsFolder } from '../../../src/runfolder/layout.js'
import { type JobNews, jobEvidence, jobNews } from '../../../src/runners/scheduler/evidence.js'
import { markOf, unsettledHandles } from '../../../src/runners/scheduler/locate.js'
import { commonFiles, startScript } from '../../../src/runners/scheduler/start-script.js'
import { submitWith } from '../../../src/runners/scheduler/submission.js'
import type {
  JobHandle,
  Limits,
  PolledRun,
  Prepared,
  Runner,
  RunnerKind,
  RunWithNews,
  SubmissionIntent,
} from '../../../src/runners/types.js'
import { type Answers, programAnswer, type Site } from '../../../src/sites/site.js'
import { pause } from '../../../src/system/pause.js'
import type { ProgramOptions } from '../../../src/system/programs.js'

/** A runner in one file: groups are the tasks of a job of `toy`, the scheduler beside it. */
export const toyKind: RunnerKind<null> = {
  name: 'toy',
  traits: new Set(['lags', 'polledRarely', 'hasScheduler']),
  programs: [],
  usualLimits: { identity: '', groupsPerSubmission: Number.POSITIVE_INFINITY },
  template: {
    parse(keys) {
      const [key] = Object.keys(keys)
      if (key === undefined) return null
      throw new UserError(`the submit template has '${key}', which toy does not know`, `leave ${key} out`)
    },
    asks: () => ({}),
    owned: [],
    description: 'Submit templates for toy.',
    keys: null,
    shared: {},
  },
  at: site => new ToyRunner(site),
}

const queueKey = 'toy queue'
const queueCommand = ['toy', 'queue']

class ToyRunner implements Runner<null> {
  readonly kind = toyKind

  constructor(readonly site: Site) {}

  async probe() {
    const { programs } = await this.site.probe(['toy'])
    if (programs.has('toy')) return toyKind.usualLimits
    throw new SchedulerError("toy is not on this machine: no 'toy' in PATH", 'run it here with --runner local')
  }

  prepare(plan: RunPlan, options: null, limits: Limits): Prepared<null> {
    const folder = launchFolder(plan.attempt)
    const count = launchedCount(plan)
    const script = `${plan.place.there}/${folder}/toy.sh`
    const command = ['toy', 'submit', script, String(count), String(plan.slots ?? count), markOf(plan)]
    const submissions = [{ first: 0, count, command }]
    const facts = 'place=$TOY_TASK job=$TOY_JOB.$TOY_TASK node=$(uname -n)'
    const files = [
      { path: `${folder}/toy.sh`, text: [startScript(plan, facts, 'restarts=0')], executable: true },
      ...commonFiles(plan),
    ]
    return { plan, options, limits, files, submissions }
  }

  async *submit(prepared: Prepared<null>, warn: (message: string) => void) {
    const { plan, submissions } = prepared
    await this.site.mutate(plan.place, [{ make: recordsFolder }])
    yield handleOf(plan, (await submitWith(this.site, prepared, 0, submissions[0]!, options, warn)).trim())
  }

  async find(intent: SubmissionIntent, grace: number) {
    const [begun] = begunSubmissions(intent.place.here, intent.attempt)
    if (!begun) return { handles: [], final: true }
    const id = begun.stdout.trim() || (await this.jobWith(markOf(intent)))
    return id
      ? { handles: [handleOf(intent, id)], final: true }
      : { handles: [], final: Date.now() - begun.begun >= grace }
  }

  queries(runs: readonly PolledRun[]) {
    const isAsked = runs.some(run => unsettledHandles(run).length > 0)
    return isAsked ? [{ key: queueKey, command: queueCommand, options }] : []
  }

  news(run: PolledRun) {
    return jobNews(run)
  }

  furtherQueries() {
    return []
  }

  read(polled: readonly RunWithNews<JobNews>[], answers: Answers) {
    const answer = programAnswer(answers, queueKey)
    const tasks = answer?.exitCode === 0 ? tasksIn(answer.stdout) : null
    const gone: SchedulerState = { kind: 'gone' }
    const evidence = polled.map(({ run, news }) => {
      const stateOf = (handle: JobHandle, number: number) =>
        tasks && (tasks.get(`${markOf(handle)} ${number}`)?.state ?? gone)
      return [
        run.token,
        jobEvidence(
          run,
          news,
          tasks !== null,
          ({ handle, task }) => stateOf(handle, task),
          ({ handle, task }) => tasks?.has(`${markOf(handle)} ${task}`) ?? false,
        ),
      ] as const
    })
    return new Map(evidence)
  }

  async cancel(handles: readonly JobHandle[], _now: boolean, agreed: (handles: readonly JobHandle[]) => void) {
    for (const handle of handles) {
      await this.ask(['toy', 'cancel', handle.id])
      agreed([handle])
    }
  }

  /** A queue on this machine may be asked often. */
  async waitForChange(_handle: JobHandle | null, milliseconds: number, stop: AbortSignal) {
    await pause(Math.min(milliseconds, 100), stop)
  }

  describe(handles: readonly JobHandle[]) {
    return `toy job ${handles.map(({ id }) => id).join(', ')}`
  }

  async explain() {
    return { witnesses: [], release: null }
  }

  logFiles() {
    return []
  }

  /** The job that was submitted with that mark; null where there is none. */
  private async jobWith(mark: string): Promise<string | null> {
    return tasksIn(await this.ask(queueCommand)).get(`${mark} 0`)?.job ?? null
  }

  private async ask(command: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.site.run(command, options)
    if (exitCode === 0) return stdout
    throw new SchedulerError(`toy does not answer: ${stderr.trim()}`, 'try again in a moment')
  }
}

const options: ProgramOptions = { timeout: 10_000 }

function handleOf(intent: SubmissionIntent, id: string): JobHandle {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const identity = { token, runId, place, groupCount, jobName, attempt, indices }
  return { ...identity, first: 0, count: launchedCount(intent), id, data: {} }
}

/** What the queue prints, by the mark of the job and the number of the task. */
function tasksIn(text: string): Map<string, { readonly job: string; readonly state: SchedulerState }> {
  const lines = text.split('\n').filter(line => line !== '')
  return new Map(
    lines.map(line => {
      const [job = '', number, state = '', mark, , started = '', code = '', ended = ''] = line.split(' ')
      return [`${mark} ${number}`, { job, state: stateOf(`${job}.${number}`, state, started, Number(code), ended) }]
    }),
  )
}

function stateOf(jobId: string, state: string, started: string, code: number, ended: string): SchedulerState {
  const begun = milliseconds(started)
  if (state === 'running' && begun !== null) return { kind: 'running', restarts: 0, started: begun, host: null, jobId }
  if (state === 'pending' || state === 'running') return { kind: 'pending', restarts: 0 }
  const signal = signalName(code - 128)
  const byItself = code === 0 ? 'finished' : signal ? 'signal' : 'exit'
  const outcome = state === 'cancelled' ? 'cancelled' : byItself
  const times = { started: begun, finished: milliseconds(ended) }
  return { kind: 'ended', outcome, exitCode: code, signal, ...times, host: null, jobId }
}

function milliseconds(seconds: string): number | null {
  return seconds === '' ? null : 1000 * Number(seconds)
}
