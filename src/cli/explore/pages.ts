import { wordsOf } from '../../domain/parameters/arguments.js'
import { argumentsOf } from '../../domain/parameters/grid.js'
import { gridParameters } from '../../domain/parameters/group-parameters.js'
import { metricNames } from '../../domain/results/metrics.js'
import { isSettled, totalOf } from '../../domain/runs/aggregate.js'
import type { Launch } from '../../domain/runs/launch.js'
import type { Run } from '../../domain/runs/run.js'
import { exploredGroups, readGroupLine } from '../../operations/browse/explored-groups.js'
import { exploredRuns, knownBest, readRunLine } from '../../operations/browse/explored-runs.js'
import { browsedGroups } from '../../operations/browse/run-pages.js'
import { findExperiment } from '../../operations/registry/find-experiment.js'
import { withParameters } from '../../operations/results/best-metrics.js'
import { chosenMetrics } from '../../operations/results/compare/compare-experiment.js'
import { readComment } from '../../operations/runs/comment-run.js'
import { hasCopy } from '../../operations/runs/run-details.js'
import type { Workspace } from '../../operations/workspace.js'
import { frameOf } from '../../views/explore/frame.js'
import { groupTitle } from '../../views/explore/group-text.js'
import { visibleIds } from '../../views/explore/render.js'
import { runCard, runLine } from '../../views/explore/run-card.js'
import type { GroupPage, List, Page, RunPage, RunsPage, Size, State, Tab } from '../../views/explore/state.js'
import { pageOf, withPage } from '../../views/explore/state.js'
import { plainStyle, type Style } from '../../views/format/style.js'
import { runEntries } from './run-entries.js'
import { tabText } from './tab-text.js'

/** How many launches are kept: they can be large, and do not change. */
const mostLaunches = 3

/** Reads from the project what the pages of run_explore show. Of lists it reads the ids, and the rows that can be seen. */
export class Pages {
  /** For programs on the user's terminal: warnings go there. */
  readonly plain: Workspace
  readonly workspace: Workspace
  private readonly launches = new Map<number, Launch>()
  private readonly names = new Map<number, readonly string[]>()
  /** The state of the database in which the ids of a list, or the text of a group, were read. */
  private readonly versions = new WeakMap<readonly unknown[], string>()

  constructor(
    workspace: Workspace,
    readonly experiment: string,
    private readonly style: Style,
    warn: (message: string) => void,
  ) {
    this.plain = workspace
    this.workspace = { ...workspace, warn }
  }

  /** The runs that a filter line keeps. @throws UserError for a line that is not understood */
  async runs(line: string): Promise<RunsPage> {
    const { workspace, experiment } = this
    const read = readRunLine(workspace, experiment, line, run => runLine(plainStyle, run))
    const version = workspace.store.version()
    const ids = await exploredRuns(workspace, experiment, read)
    this.versions.set(ids, version)
    const total = line === '' ? ids.length : workspace.store.pages.runIds(experiment).length
    return {
      kind: 'runs',
      experiment: findExperiment(workspace, experiment),
      list: { ids, at: 0, total, line, rows: new Map() },
      preview: [],
      asOf: this.asOf(),
    }
  }

  /** A run with the groups that a filter line keeps. @throws UserError for such a line, and if the run was deleted */
  async run(id: number, line: string): Promise<RunPage> {
    const { workspace } = this
    const version = workspace.store.version()
    const run = workspace.store.runs.get(id)
    const read = readGroupLine(line)
    const ids = await exploredGroups(workspace, run, read)
    this.versions.set(ids, version)
    return {
      kind: 'run',
      run: id,
      title: `Run ${id} of experiment ${run.experiment}`,
      facts: this.card(run),
      entries: runEntries(workspace, run),
      list: { ids, at: 0, total: totalOf(run.counts), line, rows: new Map() },
      varying: this.varying(id),
      metrics: [],
    }
  }

  async group(id: number, index: number, tab: Tab): Promise<GroupPage> {
    const { workspace, style } = this
    const run = workspace.store.runs.get(id)
    const [group] = browsedGroups(workspace, run, [index], this.launch(id))
    const title = groupTitle(style, id, group!, Date.now())
    const isLog = tab === 'a' || tab === 'b'
    const version = workspace.store.version()
    const text = await tabText(workspace, run, group!, tab)
    this.versions.set(text, version)
    return { kind: 'group', run: id, index, title, tab, text, top: isLog ? null : 0 }
  }

  async renewed(page: Page): Promise<Page> {
    if (page.kind === 'group') return { ...(await this.group(page.run, page.index, page.tab)), top: page.top }
    if (page.kind === 'runs') return this.runs(page.list.line)
    return this.run(page.run, page.list.line)
  }

  /** Whether something in the database has changed since a page was read. */
  isOld(page: Page): boolean {
    return this.versions.get(page.kind === 'group' ? page.text : page.list.ids) !== this.workspace.store.version()
  }

  /** Reads the rows that can be seen and are not known yet. */
  filled(state: State, size: Size): State {
    const page = pageOf(state)
    const now = { ...state, now: Date.now() }
    if (page.kind === 'group') return now
    const { height } = frameOf(state, size)
    if (page.kind === 'runs') return withPage(now, this.filledRuns(page, visibleIds(page.list, height)))
    const full = withRows(page.list, visibleIds(page.list, height), missing => this.groups(page.run, missing))
    if (full === page.list) return now
    const best = findExperiment(this.workspace, this.experiment).results.best
    const metrics = chosenMetrics(metricNames([...full.rows.values()]), null, best).metrics.map(({ name }) => name)
    return withPage(now, { ...page, list: full, metrics })
  }

  private filledRuns(page: RunsPage, visible: readonly number[]): RunsPage {
    const { workspace } = this
    const list = withRows(page.list, visible, missing => {
      const runs = withParameters(workspace, knownBest(workspace, workspace.store.pages.runsCalled(missing)))
      return runs.map(run => [run.id, run] as const)
    })
    const chosen = list.rows.get(list.ids[list.at] ?? -1)
    if (chosen !== undefined) return { ...page, list, preview: this.card(chosen) }
    return { ...page, list, preview: list.ids.length === 0 ? [] : ['It was deleted in the meantime'] }
  }

  private groups(id: number, indices: readonly number[]) {
    const run = this.workspace.store.runs.find(id)
    if (run === null) return []
    return browsedGroups(this.workspace, run, indices, this.launch(id)).map(group => [group.index, group] as const)
  }

  private card(run: Run): string[] {
    const { workspace } = this
    const [listed] = knownBest(workspace, [run])
    const there = { hasComment: readComment(workspace, run) !== null, hasCopy: hasCopy(workspace, run) }
    return runCard(this.style, listed!, wordsOf(argumentsOf(this.launch(run.id).grid, 0)), there, Date.now())
  }

  private varying(id: number): readonly string[] {
    const known = this.names.get(id)
    if (known !== undefined) return known
    const parameters = gridParameters(this.launch(id).grid)!
    const names = parameters.filter(({ count, isEverywhere }) => count > 1 || !isEverywhere).map(({ name }) => name)
    this.names.set(id, names)
    return names
  }

  private launch(id: number): Launch {
    const launch = this.launches.get(id) ?? this.workspace.store.runs.launch(id)
    this.launches.delete(id)
    this.launches.set(id, launch)
    if (this.launches.size > mostLaunches) this.launches.delete(this.launches.keys().next().value!)
    return launch
  }

  private asOf(): number | null {
    const live = this.workspace.store.runs.live().filter(run => run.experiment === this.experiment && !isSettled(run))
    return live.length === 0 ? null : Math.min(...live.map(run => run.asOf))
  }
}

/** A list with the rows that can be seen, and no others. @returns the same list if it has them */
function withRows<Row>(
  list: List<Row>,
  visible: readonly number[],
  read: (missing: readonly number[]) => readonly (readonly [number, Row])[],
): List<Row> {
  const missing = visible.filter(id => !list.rows.has(id))
  if (missing.length === 0) return list
  const known = visible.flatMap(id => {
    const row = list.rows.get(id)
    return row === undefined ? [] : [[id, row] as const]
  })
  return { ...list, rows: new Map([...known, ...read(missing)]) }
}
