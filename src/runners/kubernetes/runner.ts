import { relative } from 'node:path'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { runLabel } from '../../domain/pods/manifest.js'
import type { Job } from '../../domain/pods/objects.js'
import { launchedCount, type RunPlan } from '../../domain/runs/run-plan.js'
import { OperationError, SchedulerError, UserError } from '../../errors.js'
import { podLogsOf } from '../../runfolder/evidence/pod-logs.js'
import { begunSubmissions, submittedText } from '../../runfolder/evidence/submissions.js'
import { podJobsFile } from '../../runfolder/layout.js'
import { type Answers, programAnswer, type Site } from '../../sites/site.js'
import { pause } from '../../system/pause.js'
import { podFiles, shellOnTerminal } from '../job-script.js'
import { submitWith } from '../scheduler/submission.js'
import type {
  JobHandle,
  LaterSubmission,
  Limits,
  PolledRun,
  Prepared,
  Runner,
  RunnerKind,
  RunWithNews,
  Seat,
  SubmissionIntent,
} from '../types.js'
import { type PackedCode, packCode, refuseOutside } from './code.js'
import { createJobs, submitPatience } from './create.js'
import { type PodNews, podEvidence, podNews } from './evidence.js'
import { describeJobs, explainGroup } from './explain.js'
import { copyOf, hasSecret, type JobList, jobStem, jobsAgain, jobsOfLaunch, secretName, workersOf } from './jobs.js'
import { callKubectl, getWords, kubectlPatience, namespaceOf } from './kubectl.js'
import { giveObjects, selectorOf } from './objects.js'
import { type KubernetesOptions, kubernetesDialect } from './options.js'
import { readQueue } from './queue.js'
import { refusalOfShell, shellPod } from './shell.js'

/** Groups run in pods of a namespace, which deal them among themselves: see pod.sh. */
export const kubernetesKind: RunnerKind<KubernetesOptions> = {
  name: 'kubernetes',
  traits: new Set(['lags', 'polledRarely', 'hasScheduler', 'needsNamespace']),
  programs: [],
  usualLimits: { identity: '', groupsPerSubmission: Number.POSITIVE_INFINITY },
  template: kubernetesDialect,
  at: site => new KubernetesRunner(site),
}

/** The key of the only query. */
const queueKey = 'kubectl get'

class KubernetesRunner implements Runner<KubernetesOptions> {
  readonly kind = kubernetesKind

  constructor(readonly site: Site) {}

  async probe(_environment: JobEnvironment, _options: KubernetesOptions | null): Promise<Limits> {
    const { title } = namespaceOf(this.site)
    const result = await this.site.run([...namespaceOf(this.site).kubectl, 'auth', 'can-i', 'create', 'jobs.batch'], {
      timeout: kubectlPatience,
    })
    if (result.ending !== 'exit' || (result.exitCode !== 0 && result.stdout.trim() !== 'no'))
      await callKubectl(this.site, ['version'])
    if (result.exitCode !== 0)
      throw new SchedulerError(`you may not make jobs in ${title}`, `qanat context test ${title}`)
    return { ...kubernetesKind.usualLimits, identity: title }
  }

  prepare(plan: RunPlan, options: KubernetesOptions, limits: Limits): Prepared<KubernetesOptions> {
    const namespace = namespaceOf(this.site)
    if (plan.container)
      throw new UserError('--container is for machines: a pod has the image of its template', 'leave --container out')
    const { claim } = namespace.volume
    if (claim === null) refuseOutside(plan)
    const list = jobsOfLaunch(plan, options, namespace)
    const file = podJobsFile(plan.attempt, 0)
    return {
      plan,
      options,
      limits,
      files: [...podFiles(plan, claim !== null), { path: file, text: [jsonOf(list)] }],
      submissions: [
        { first: 0, count: launchedCount(plan), command: createWords(this.site, `${plan.place.here}/${file}`) },
      ],
    }
  }

  async *submit(prepared: Prepared<KubernetesOptions>, warn: (message: string) => void) {
    const { plan, options, submissions } = prepared
    const { volume } = namespaceOf(this.site)
    const workers = workersOf(plan)
    const launched = launchedCount(plan)
    if (plan.slots === null && workers < launched)
      warn(`${workers} pods take the ${launched} groups one after another: --n_threads N for another number`)
    let made = workers
    let code: PackedCode = new Map()
    if (volume.claim === null) {
      warn(
        'there is no volume: of each group at most 5 MB come back, through the log of its pod, and what was not read before a pod is gone is lost',
      )
      code = await packCode(this.site, plan, relative(volume.path, plan.copied!.copy))
      const list = jobsOfLaunch(plan, options, namespaceOf(this.site), [...code.keys()])
      await this.site.put(plan.place, [{ path: podJobsFile(plan.attempt, 0), text: [jsonOf(list)] }])
      // Each job has its share: some of them are no launch.
      await this.orNothing(plan, () =>
        submitWith(this.site, prepared, 0, submissions[0]!, { timeout: submitPatience }, warn),
      )
    } else made = await createJobs(this.site, prepared, submissions[0]!, workers, warn)
    await this.orNothing(plan, () => giveObjects(this.site, plan, code))
    yield handleOf(plan, made, 0)
  }

  /** Does a part of a launch. If that fails, its jobs are removed. */
  private async orNothing(intent: SubmissionIntent, part: () => Promise<unknown>): Promise<void> {
    try {
      await part()
    } catch (error) {
      await this.removeJobs(intent)
      throw error
    }
  }

  private async removeJobs(intent: SubmissionIntent): Promise<void> {
    await callKubectl(this.site, ['delete', 'jobs', '-l', selectorOf(intent), '--wait=false'])
  }

  async find(intent: SubmissionIntent, grace: number) {
    const begun = begunSubmissions(intent.place.here, intent.attempt)
    if (begun.length === 0) return { handles: [], final: true }
    const text = await callKubectl(this.site, ['get', 'jobs', '-l', selectorOf(intent), '-o', 'json'])
    const { items } = JSON.parse(text) as { items: Job[] }
    const list = listIn(intent, 0)
    const wanted = list?.items.length ?? items.length
    const isLate = Date.now() - begun.at(-1)!.begun >= grace
    if (list !== null && items.length > 0) {
      if (hasSecret(list) && !(await this.isThere('secret', secretName(intent)))) {
        // Its launch has died before it gave them, and took them along.
        await this.removeJobs(intent)
        return { handles: [], final: isLate }
      }
      await this.giveCodeAgain(intent, list)
    }
    // kubectl may still be at work: it lives on when its launch is killed.
    const final = items.length >= Math.max(1, wanted) || isLate
    return { handles: items.length > 0 ? [handleOf(intent, items.length, 0)] : [], final }
  }

  queries(runs: readonly PolledRun[]) {
    if (runs.length === 0) return []
    const command = getWords(
      this.site,
      runs.map(({ token }) => token),
    )
    return [{ key: queueKey, command, options: { timeout: kubectlPatience } }]
  }

  onTerminal(plan: RunPlan, seat: Seat, options: KubernetesOptions) {
    const pod =
      seat.inside === null ? shellPod(plan, options, namespaceOf(this.site)) : { name: seat.inside, manifest: null }
    return { ...shellOnTerminal(plan, { ...seat, host: pod.name }), pod }
  }

  refuseShell(pod: string | null) {
    return refusalOfShell(namespaceOf(this.site), pod)
  }

  news(run: PolledRun): PodNews {
    return podNews(run)
  }

  furtherQueries() {
    return []
  }

  read(polled: readonly RunWithNews<PodNews>[], answers: Answers) {
    const answer = programAnswer(answers, queueKey)
    const queue = readQueue(answer?.exitCode === 0 ? answer.stdout : null)
    return new Map(polled.map(each => [each.run.token, podEvidence(each, queue)]))
  }

  async cancel(handles: readonly JobHandle[], now: boolean, agreed: (handles: readonly JobHandle[]) => void) {
    for (const handle of handles) {
      await callKubectl(this.site, ['delete', 'jobs', '-l', selectorOf(handle), '--wait=false'])
      agreed([handle])
      if (now)
        await callKubectl(this.site, ['delete', 'pods', '-l', selectorOf(handle), '--wait=false', '--grace-period=1'])
    }
  }

  /** Gives the pods of a launch their code, if they have no volume and the launch has died before it did. */
  private async giveCodeAgain(intent: SubmissionIntent, list: JobList): Promise<void> {
    const copy = copyOf(list)
    if (copy !== null) await giveObjects(this.site, intent, await packCode(this.site, intent, copy))
  }

  private async isThere(kind: string, name: string): Promise<boolean> {
    return (await callKubectl(this.site, ['get', kind, name, '--ignore-not-found', '-o', 'name'])) !== ''
  }

  async submitLater(handle: JobHandle, { number, jobs: indices }: LaterSubmission, warn: (message: string) => void) {
    const list = listIn(handle, 0)
    if (list === null) throw new SchedulerError('the record of the jobs of the run is gone', 'cancel and retry it')
    const workers = Math.min(list.items.length, indices.length)
    const file = podJobsFile(handle.attempt, number)
    const { place, attempt, count } = handle
    await this.site.put(place, [{ path: file, text: [jsonOf(jobsAgain(list, workers, number, indices))] }])
    const submission = { first: 0, count, jobs: indices, command: createWords(this.site, `${place.here}/${file}`) }
    await submitWith(this.site, { plan: { attempt, place } }, number, submission, { timeout: submitPatience }, warn)
    await this.giveCodeAgain(handle, list)
    return handleOf(handle, workers, number)
  }

  async *resume(handle: JobHandle, _environment: JobEnvironment, waiting: ReadonlySet<number>) {
    const list = listIn(handle, 0)
    if (list === null) throw new OperationError('the record of the jobs of the run is gone')
    const generation = begunSubmissions(handle.place.here, handle.attempt).length
    const workers = Math.min(list.items.length, waiting.size)
    const file = podJobsFile(handle.attempt, generation)
    const { place, attempt } = handle
    await this.site.put(place, [{ path: file, text: [jsonOf(jobsAgain(list, workers, generation))] }])
    const submission = { first: 0, count: handle.count, command: createWords(this.site, `${place.here}/${file}`) }
    await submitWith(
      this.site,
      { plan: { attempt, place } },
      generation,
      submission,
      { timeout: submitPatience },
      () => {},
    )
    await giveObjects(this.site, handle)
    yield handleOf(handle, workers, generation)
  }

  async forget(handles: readonly JobHandle[]) {
    for (const token of new Set(handles.map(handle => handle.token)))
      await callKubectl(this.site, ['delete', 'jobs', '-l', `${runLabel}=${token}`, '--wait=false'])
  }

  async waitForChange(_handle: JobHandle | null, milliseconds: number, stop: AbortSignal) {
    await pause(milliseconds, stop)
  }

  describe(handles: readonly JobHandle[]) {
    return describeJobs(handles)
  }

  async explain(handles: readonly JobHandle[], index: number) {
    const last = handles.findLast(({ indices }) => indices === null || indices.includes(index))
    return { witnesses: last ? await explainGroup(this.site, last, index) : [], release: null }
  }

  scripts(handles: readonly JobHandle[]) {
    return handles.map(({ place, attempt }) => ({
      title: podJobsFile(attempt, 0),
      path: `${place.here}/${podJobsFile(attempt, 0)}`,
    }))
  }

  logFiles(handles: readonly JobHandle[]) {
    const [first] = handles
    return first ? podLogsOf(first.place.here).map(({ pod, path }) => ({ title: `pod ${pod}`, path })) : []
  }
}

function jsonOf(list: JobList): string {
  return `${JSON.stringify(list, null, 2)}\n`
}

/** Null if the file is gone. */
function listIn({ place, attempt }: Pick<JobHandle, 'place' | 'attempt'>, generation: number): JobList | null {
  const text = submittedText(place.here, podJobsFile(attempt, generation))
  return text === null ? null : (JSON.parse(text) as JobList)
}

function createWords(site: Site, file: string): string[] {
  return [...namespaceOf(site).kubectl, 'create', '-f', file, '-o', 'name']
}

function handleOf(intent: SubmissionIntent, workers: number, generation: number): JobHandle {
  const { token, runId, place, groupCount, jobName, attempt, indices } = intent
  const identity = { token, runId, place, groupCount, jobName, attempt, indices }
  return { ...identity, first: 0, count: launchedCount(intent), id: jobStem(intent), data: { workers, generation } }
}
