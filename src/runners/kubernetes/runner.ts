import { relative } from 'node:path'
import type { JobEnvironment } from '../../domain/job-environment.js'
import { admissionOf } from '../../domain/pods/admission.js'
import { ownSelector, runLabel } from '../../domain/pods/manifest.js'
import type { Job } from '../../domain/pods/objects.js'
import { launchedCount, type RunPlan } from '../../domain/runs/run-plan.js'
import { SchedulerError, UserError } from '../../errors.js'
import { podLogsOf } from '../../runfolder/evidence/pod-logs.js'
import { unknownJobs } from '../../runfolder/evidence/pod-shares.js'
import { begunSubmissions } from '../../runfolder/evidence/submissions.js'
import { podJobsFile } from '../../runfolder/layout.js'
import { type Answers, programAnswer, type Site } from '../../sites/site.js'
import { pause } from '../../system/pause.js'
import { podFiles, shellOnTerminal } from '../job-script.js'
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
import { type PodNews, podEvidence, podNews } from './evidence.js'
import { describeJobs, explainGroup } from './explain.js'
import { copyOf, hasSecret, type JobList, jobsAgain, jobsOfLaunch, podsOf, secretName, workersOf } from './jobs.js'
import { callKubectl, getWords, kubectlPatience, namespaceOf } from './kubectl.js'
import { giveObjects, selectorOf } from './objects.js'
import { type KubernetesOptions, kubernetesDialect } from './options.js'
import { readQueue } from './queue.js'
import { refusalOfShell, shellPod } from './shell.js'
import { createAgain, createJobs, createWords, handleOf, jsonOf, keptList, laterHandle, listIn } from './submit.js'

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
    const { title, kubectl } = namespaceOf(this.site)
    const ask = (...words: string[]) => this.site.run([...kubectl, ...words], { timeout: kubectlPatience })
    const [result, told] = await Promise.all([
      ask('auth', 'can-i', 'create', 'jobs.batch'),
      ask('get', 'resourcequotas,limitranges', '-o', 'json'),
    ])
    if (result.ending !== 'exit' || (result.exitCode !== 0 && result.stdout.trim() !== 'no'))
      await callKubectl(this.site, ['version'])
    if (result.exitCode !== 0)
      throw new SchedulerError(`you may not make jobs in ${title}`, `qanat context test ${title}`)
    const admission = told.exitCode === 0 && { admission: admissionOf(JSON.parse(told.stdout).items) }
    return { ...kubernetesKind.usualLimits, identity: title, ...admission }
  }

  prepare(plan: RunPlan, options: KubernetesOptions, limits: Limits): Prepared<KubernetesOptions> {
    const namespace = namespaceOf(this.site)
    if (plan.container)
      throw new UserError('--container is for machines: a pod has the image of its template', 'leave --container out')
    const { claim } = namespace.volume
    if (claim === null) refuseOutside(plan)
    const list = jobsOfLaunch(plan, options, namespace, limits.admission)
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
    const { plan, options, limits } = prepared
    const { volume } = namespaceOf(this.site)
    let made: number
    let list = jobsOfLaunch(plan, options, namespaceOf(this.site), limits.admission)
    const [workers, pods, launched] = [workersOf(plan), podsOf(list), launchedCount(plan)]
    if (pods < workers)
      warn(`a quota allows ${pods} of ${workers} jobs now: so many pods take the ${launched} groups one after another`)
    else if (plan.slots === null && workers < launched)
      warn(`${workers} pods take the ${launched} groups one after another: --n_threads N for another number`)
    let code: PackedCode = new Map()
    if (volume.claim === null) {
      warn(
        'there is no volume: of each group at most 5 MB come back, through the log of its pod, and what was not read before a pod is gone is lost',
      )
      code = await packCode(this.site, plan, relative(volume.path, plan.copied!.copy))
      list = jobsOfLaunch(plan, options, namespaceOf(this.site), limits.admission, [...code.keys()])
      await this.site.put(plan.place, [{ path: podJobsFile(plan.attempt, 0), text: [jsonOf(list)] }])
      // Each job has its share: some of them are no launch.
      made = await this.orNothing(plan, () => createJobs(this.site, prepared, list, warn))
    } else made = await createJobs(this.site, prepared, list, warn)
    await this.orNothing(plan, () => giveObjects(this.site, plan, code))
    yield handleOf(plan, made, volume.claim === null)
  }

  /** Does a part of a launch. If that fails, its jobs are removed. */
  private async orNothing<Result>(intent: SubmissionIntent, part: () => Promise<Result>): Promise<Result> {
    try {
      return await part()
    } catch (error) {
      await this.remove('jobs', selectorOf(intent))
      throw error
    }
  }

  /** Removes everything of a kind that a selector names, by one call. */
  private async remove(kind: 'jobs' | 'pods', selector: string, ...words: readonly string[]): Promise<void> {
    await callKubectl(this.site, ['delete', kind, '-l', selector, '--wait=false', ...words])
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
        await this.remove('jobs', selectorOf(intent))
        return { handles: [], final: isLate }
      }
      await this.giveCodeAgain(intent, list)
    }
    const hasShares = list !== null && copyOf(list) !== null
    const later = begun.flatMap(({ span: { jobs } }, number) => (jobs ? [laterHandle(intent, number, jobs)] : []))
    // kubectl may still be at work: it lives on when its launch is killed. Jobs that it makes later have names that are known.
    const final = later.length > 0 || items.length >= Math.max(1, wanted) || isLate
    const isThere = later.length > 0 || items.length > 0
    return { handles: isThere ? [handleOf(intent, Math.min(wanted, items.length), hasShares), ...later] : [], final }
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
    for (const token of new Set(handles.map(handle => handle.token))) {
      const own = handles.filter(handle => handle.token === token)
      const selector = selectorOf(...own)
      await this.remove('jobs', selector)
      agreed(own)
      if (now) await this.remove('pods', selector, '--grace-period=1')
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

  async submitLater(handle: JobHandle, { number, jobs }: LaterSubmission, warn: (message: string) => void) {
    const list = keptList(handle, 0)
    const unknown = unknownJobs(handle.place.here, handle.attempt)
    const items = keptList(handle, number - 1).items.filter(({ metadata }) => unknown.has(metadata.name))
    const indices = jobs.map(position => handle.indices?.[position] ?? position)
    const workers = Math.min(podsOf(list), jobs.length)
    // Jobs of which kubectl has not told come first, with their names: the server makes none of them twice.
    const again = items.length > 0 ? { ...list, items } : jobsAgain(list, workers, number, indices)
    await createAgain(this.site, handle, { number, list: again, jobs }, warn)
    await this.giveCodeAgain(handle, list)
    return laterHandle(handle, number, jobs)
  }

  async *resume(handle: JobHandle, _environment: JobEnvironment, waiting: ReadonlySet<number>) {
    const list = keptList(handle, 0)
    const number = begunSubmissions(handle.place.here, handle.attempt).length
    const again = jobsAgain(list, Math.min(podsOf(list), waiting.size), number)
    await createAgain(this.site, handle, { number, list: again }, () => {})
    await giveObjects(this.site, handle)
    yield handleOf(handle, again.items.length, false)
  }

  async forget(handles: readonly JobHandle[]) {
    const tokens = new Set(handles.map(({ token }) => token))
    await this.remove('jobs', `${ownSelector},${runLabel} in (${[...tokens].join(',')})`)
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
