import { asRoot } from '../clusters/box.js'
import type { Deed, Span } from './account.js'
import { chooser, shuffled } from './chance.js'
import type { Act, Form, Job, Scheduler } from './scheduler.js'

/** How long after it the scheduler may still put jobs back, in milliseconds. */
const aftermath = 20_000
/** What a daemon that is killed has not yet stored, in milliseconds. */
const unsaved = 10_000

interface Undo {
  readonly due: number
  readonly act: Act
  readonly id: string
  readonly span: Mutable<Span>
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Does to a scheduler and its jobs what happens in a weekend, and notes it. */
export class Happenings {
  readonly deeds = new Map<number, Deed[]>()
  readonly waiting = new Map<number, number[]>()
  readonly held = new Map<number, Mutable<Span>[]>()
  readonly outages: Mutable<Span>[] = []
  readonly upheavals: Mutable<Span>[] = []
  readonly counts = new Map<string, number>()
  private readonly plan: Act[]
  private readonly choose = chooser()
  private readonly mine = new Set<string>()
  private undos: Undo[] = []
  private next = 0
  private jobs: readonly Job[] = []
  private listed = 0
  private asked = 0
  private isOver = false

  constructor(
    private readonly scheduler: Scheduler,
    private readonly form: Form,
  ) {
    const rounds = Array(form.rounds).fill(scheduler.acts).flat()
    this.plan = shuffled<Act>([...rounds, ...Array(form.outages).fill(scheduler.outage)])
  }

  /** Whether somebody still has to end something. */
  get isOpen(): boolean {
    return this.undos.length > 0
  }

  /** Looks at the queue, before what is held is released, and does what is due. */
  async goOn(): Promise<void> {
    const wasAway = this.isAway
    if (!wasAway) await this.list()
    for (const undo of this.undos.filter(({ due }) => due <= Date.now())) await this.undo(undo)
    if (wasAway || this.isOver || this.plan.length === 0 || Date.now() < this.next) return
    await this.do(this.plan.pop()!)
    this.next = Date.now() + this.form.pause * 1000
  }

  /** Notes that groups were launched again: their jobs have other numbers than they, and nothing happens to them. */
  launchAgain(groups: Iterable<number>): void {
    this.isOver = true
    const at = Date.now()
    for (const group of groups) this.note(group, { at, name: 'run_retry', means: 'put back', listed: at, seen: at })
  }

  private get isAway(): boolean {
    return this.undos.some(({ act }) => act.isOutage)
  }

  private note(group: number, deed: Deed): void {
    this.deeds.set(group, [...(this.deeds.get(group) ?? []), deed])
  }

  private async list(): Promise<void> {
    const asked = Date.now()
    const text = await asRoot(this.scheduler.list)
    this.jobs = this.isOver ? [] : this.scheduler.jobs(text)
    const now = Date.now()
    for (const { group, state } of this.jobs) {
      const deed = this.deeds.get(group)?.at(-1)
      if (deed?.means === 'put back' && (state === 'pending' || state === 'held')) deed.seen ??= now
      if (state === 'pending' || state === 'held') {
        this.waiting.set(group, [...(this.waiting.get(group) ?? []), asked])
      }
      if (state !== 'held') continue
      const spans = this.held.get(group) ?? []
      const last = spans.at(-1)
      // It may have been held ever since it was looked at before.
      if (last && last.to === this.listed) last.to = now
      else this.held.set(group, [...spans, { from: this.listed, to: now }])
    }
    this.listed = now
    this.asked = asked
    const code = this.scheduler.tend(text, this.mine)
    // A job may have gone meanwhile.
    if (code !== '') await asRoot(`${code}; true`)
  }

  private async do(act: Act): Promise<void> {
    const free = this.jobs.filter(({ group, state }) => state === act.to && !this.deeds.has(group))
    const job = act.to === null ? null : this.choose(free)
    // There is none to do it to.
    if (job === undefined) return
    const at = Date.now()
    const id = job?.id ?? ''
    if (act.undo && job) this.mine.add(id)
    const name = `${act.name}${act.to ? ` ${act.to}` : ''}`
    try {
      await asRoot(act.does.replaceAll('JOB', id))
    } catch {
      // The job has ended or begun meanwhile.
      this.mine.delete(id)
      return
    }
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    if (job) this.note(job.group, { at, name, means: act.means, listed: this.asked })
    console.log(`${new Date(at).toISOString().slice(11, 19)} ${this.scheduler.name}: ${name} ${id}`)
    const span = { from: at - unsaved, to: Number.POSITIVE_INFINITY }
    if (act.isOutage) this.outages.push(span)
    if (act.isUpheaval) this.upheavals.push(span)
    if (act.undo) this.undos.push({ due: Date.now() + act.undo.after * 1000, act, id, span })
  }

  /** What cannot be undone now is tried again; while the scheduler is away, only its return is. */
  private async undo(undo: Undo): Promise<void> {
    const { act, id, span } = undo
    if (this.isAway && !act.isOutage) return
    try {
      await asRoot(act.undo!.does.replaceAll('JOB', id))
    } catch {
      // A job may have ended.
      if (act.to === null || this.jobs.some(job => job.id === id && !['finished', 'other'].includes(job.state))) return
    }
    this.mine.delete(id)
    this.undos = this.undos.filter(other => other !== undo)
    span.to = Date.now() + aftermath
  }
}
