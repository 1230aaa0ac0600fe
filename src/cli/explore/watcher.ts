import { setTimeout as sleep } from 'node:timers/promises'
import { BusyError, QanatError, UserError } from '../../errors.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { listing } from '../../operations/results/best-metrics.js'
import { indexMetrics } from '../../operations/results/index-metrics.js'
import { explainDatabase } from '../../store/database.js'
import { renewedState, withoutPage } from '../../views/explore/renew.js'
import { type Page, pageOf, type State } from '../../views/explore/state.js'
import type { Pages } from './pages.js'

/** Milliseconds between two looks at the state of runs, the same as for `experiment status --live`. */
const interval = 1000
/** Milliseconds between two looks at a log. */
const logInterval = 250
/** How long metrics are read at a time, in milliseconds. No key is answered during this time. */
const readingTime = 30

type Change = (state: State) => State

/**
 * Refreshes runs in the background, and redraws the screen when something has changed. It shares the polls of
 * schedulers with all other commands, within `poll_interval`; a slow answer delays no key.
 */
export class Watcher {
  private isRenewing = false
  private isRefreshing = false
  /** Of the database, when metrics were read last. */
  private measured = ''

  constructor(
    private readonly pages: Pages,
    private readonly state: () => State,
    private readonly change: (change: Change) => void,
    private readonly stop: AbortSignal,
  ) {}

  start(): void {
    void this.repeat(interval, () => this.refresh())
    void this.repeat(interval, () => this.measure().then(() => this.renew()))
    void this.repeat(logInterval, () => this.follow())
  }

  /** Whether a scheduler has not answered yet. */
  get isWaiting(): boolean {
    return this.isRefreshing
  }

  /** Renews the page that is shown, if something has changed. @param anyway also if it has changed outside of the database */
  look(anyway: boolean): void {
    void this.guarded(() => this.renew(anyway))
  }

  private async repeat(pause: number, work: () => Promise<void>): Promise<void> {
    while (!this.stop.aborted) {
      await this.guarded(work)
      await sleep(pause, undefined, { signal: this.stop }).catch(() => {})
    }
  }

  /** Shows what went wrong, unless the database is only in use for now. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (thrown) {
      const error = explainDatabase(thrown)
      if (this.stop.aborted || error instanceof BusyError) return
      const hint = error instanceof QanatError && error.hint !== null ? `\n  ${error.hint}` : ''
      this.tell(`Error: ${(error as Error).message}${hint}`)
    }
  }

  private tell(problem: string): void {
    if (problem !== this.state().problem) this.change(state => ({ ...state, problem }))
  }

  private async refresh(): Promise<void> {
    const problems: string[] = []
    const workspace = { ...this.pages.workspace, warn: (message: string) => void problems.push(message) }
    workspace.store.refuseOther()
    const runs = openRuns(workspace).filter(run => run.experiment === this.pages.experiment)
    this.isRefreshing = true
    try {
      await refreshRuns(workspace, runs)
    } finally {
      this.isRefreshing = false
    }
    if (!this.stop.aborted) this.tell(problems.join('\n'))
  }

  private async measure(): Promise<void> {
    const { workspace, experiment } = this.pages
    const page = pageOf(this.state())
    if (this.stop.aborted || page.kind === 'group' || this.measured === workspace.store.version()) return
    if (page.kind === 'runs') {
      const unknown = [...page.list.rows.values()].filter(({ best }) => best === null).map(run => ({ ...run }))
      const { late } = await listing(workspace, unknown, readingTime)
      if (late > 0) return
    } else {
      const run = workspace.store.runs.find(page.run)
      const sources = findExperiment(workspace, experiment).results.metrics
      const until = Date.now() + readingTime
      if (run !== null) indexMetrics(workspace, [run], sources, until)
      if (Date.now() >= until) return
      // Finds the best of them.
      if (run !== null) await listing(workspace, [run], readingTime)
    }
    this.measured = workspace.store.version()
  }

  private async renew(anyway = false): Promise<void> {
    const page = pageOf(this.state())
    // The reasons are found out anew only if they are asked for: the scheduler is polled for them.
    if (this.isRenewing || this.stop.aborted || (page.kind === 'group' && page.tab === 'w')) return
    if (!anyway && !this.pages.isOld(page)) return this.change(state => state)
    this.isRenewing = true
    try {
      await this.replace(page)
    } finally {
      this.isRenewing = false
    }
  }

  private async replace(page: Page): Promise<void> {
    try {
      const fresh = await this.pages.renewed(page)
      this.change(state => renewedState(state, page, fresh))
    } catch (error) {
      const isDeleted = page.kind !== 'runs' && this.pages.workspace.store.runs.find(page.run) === null
      if (!(error instanceof UserError) || !isDeleted) throw error
      const runs = await this.pages.runs('')
      this.change(state => withoutPage(state, page, runs, error.message))
    }
  }

  private async follow(): Promise<void> {
    const page = pageOf(this.state())
    if (page.kind !== 'group' || (page.tab !== 'a' && page.tab !== 'b') || this.isRenewing) return
    const fresh = await this.pages.renewed(page)
    const isSame = fresh.kind === 'group' && fresh.text.join('\n') === page.text.join('\n')
    if (!isSame) this.change(state => renewedState(state, page, fresh))
  }
}
