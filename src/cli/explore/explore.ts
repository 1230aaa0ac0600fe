import type { Experiment } from '../../domain/experiment.js'
import type { ListedRun } from '../../domain/results/best.js'
import { isSettled } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { QanatError } from '../../errors.js'
import { refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { listing } from '../../operations/results/best-metrics.js'
import { readComment } from '../../operations/runs/comment-run.js'
import type { Workspace } from '../../operations/workspace.js'
import { runCard, runLine } from '../../views/explore.js'
import { displayable } from '../../views/format/displayable.js'
import { styleOf } from '../../views/format/style.js'
import { experimentCard } from '../../views/registry/experiment.js'
import { showError } from '../explain.js'
import { askForText } from '../prompts.js'
import type { runList } from '../run-list.js'
import { type Filter, type FilterName, filterNames, filterOf } from './filters.js'
import { choose, type MenuItem } from './menu.js'
import { type RunEntry, runEntries } from './run-entries.js'

const style = styleOf(process.stderr)
const pointer = style.symbol('❯').trim() || '>'

/** The runs that are explored. */
interface Explored {
  readonly experiment: Experiment
  /** Filters and sorts them as the options of the command say. */
  readonly select: ReturnType<typeof runList>
}

/** Shows menus of the runs of an experiment until the user leaves. */
export async function explore(workspace: Workspace, explored: Explored): Promise<void> {
  const { experiment } = explored
  let filters: readonly Filter[] = []
  for (;;) {
    const runs = await wantedRuns(workspace, explored, filters)
    show(experimentCard(style, experiment))
    const texts = filters.map(({ name, text }) => `${name} ${text}`)
    const narrowed = texts.length > 0 ? `, narrowed by ${texts.join(', ')}` : ''
    const items = [
      { key: 's', name: () => 'Search', value: 'search' },
      { key: 'm', name: () => `Menu: ${runs.length} run${runs.length === 1 ? '' : 's'}${narrowed}`, value: 'menu' },
      { key: 'q', name: () => 'Quit', value: 'quit' },
    ]
    const hints: Record<string, string> = {
      search: 'Narrow the runs by tag, description, status, runner, commit or parameters',
      menu: 'Choose a run',
      quit: 'Back to the shell',
    }
    const chosen = await choose({
      message: 'What next?',
      items,
      preview: value => hints[value]!,
      letters: 'keys',
      pointer,
    })
    if (chosen === 'search') filters = await search(workspace, explored, filters)
    else if (chosen === 'menu') await browse(workspace, runs)
    else return
  }
}

/** Asks for one filter after the other, and shows how many runs match. */
async function search(workspace: Workspace, explored: Explored, before: readonly Filter[]): Promise<readonly Filter[]> {
  let filters = before
  for (;;) {
    const runs = await wantedRuns(workspace, explored, filters)
    const items: MenuItem<FilterName | 'menu' | 'reset' | 'done'>[] = filterNames.map((name, number) => {
      const given = filters.find(filter => filter.name === name)
      const title = `${name[0]!.toUpperCase()}${name.slice(1)}`
      return { key: 'abcdef'[number]!, name: () => (given ? `${title}: ${given.text}` : title), value: name }
    })
    items.push(
      { key: 'g', name: () => `Menu with remaining runs: ${runs.length}`, value: 'menu' },
      { key: 'h', name: () => 'Reset', value: 'reset' },
      { key: 'q', name: () => 'Done', value: 'done' },
    )
    const preview = () => 'Commas separate alternatives; an empty answer removes a filter'
    const chosen = await choose({ message: 'Narrow by', items, preview, letters: 'keys', pointer })
    if (chosen === null || chosen === 'done') return filters
    if (chosen === 'menu') await browse(workspace, runs)
    else filters = chosen === 'reset' ? [] : await changed(filters, chosen)
  }
}

/** Asks for one of the filters again; an answer that is not understood changes nothing. */
async function changed(filters: readonly Filter[], name: FilterName): Promise<readonly Filter[]> {
  const hint = name === 'parameters' ? ' (values, or --option:value)' : ''
  const before = filters.find(filter => filter.name === name)
  const text = (await askForText(`${name}${hint}`, before?.text ?? '')).trim()
  let after = filters.filter(filter => filter !== before)
  if (text === '') return after
  const isUnderstood = await tried(async () => {
    after = [...after, filterOf(name, text)]
  })
  return isUnderstood ? after : filters
}

async function wantedRuns(
  workspace: Workspace,
  { experiment, select }: Explored,
  filters: readonly Filter[],
): Promise<ListedRun[]> {
  const { runs } = workspace.store
  await refreshRuns(
    workspace,
    runs.listOf(experiment.name).filter(run => !isSettled(run)),
  )
  const gridOf = (run: Run) => runs.launch(run.id).grid
  const selected = await select(workspace, runs.listOf(experiment.name))
  return selected.runs.filter(run => filters.every(({ keeps }) => keeps(run, gridOf)))
}

async function browse(workspace: Workspace, runs: readonly ListedRun[]): Promise<void> {
  const { store } = workspace
  const isThere = (run: Run) => store.runs.find(run.id) !== null
  const preview = (run: ListedRun) => (isThere(run) ? cardOf(workspace, run) : 'deleted in the meantime')
  for (;;) {
    const items = runs.filter(isThere).map(run => ({ name: () => runLine(style, run), value: run }))
    const message = 'Run? (type to narrow, Escape to go back)'
    const run = await choose({ message, items, preview, letters: 'search', pointer })
    if (run === null) return
    await explorePage(workspace, run)
  }
}

function cardOf(workspace: Workspace, run: ListedRun): string {
  const { grid } = workspace.store.runs.launch(run.id)
  return runCard(style, run, grid, readComment(workspace, run) !== null, Date.now())
}

/** Shows the page of a run until the user leaves it. */
export async function explorePage(workspace: Workspace, found: Run): Promise<void> {
  for (;;) {
    if (!isSettled(found)) await refreshRuns(workspace, [found])
    const now = workspace.store.runs.find(found.id)
    if (now === null) return show(`Run ${found.id} was deleted in the meantime`)
    const run = (await listing(workspace, [now])).runs[0]!
    show(`\nRun ${run.id} of experiment ${run.experiment}`)
    show(cardOf(workspace, run))
    const entries = runEntries(workspace, run)
    const items: MenuItem<RunEntry | null>[] = entries.map(each => ({
      key: each.key,
      name: () => each.name,
      value: each,
    }))
    items.push({ key: 'q', name: () => 'Back', value: null })
    const entry = await choose({
      message: 'What next?',
      items,
      preview: each => each?.hint ?? 'Go back',
      letters: 'keys',
      pointer,
    })
    if (entry === null) return
    await tried(() => entry.run(workspace, run))
  }
}

/** Shows an error and goes on. @returns false after an error */
async function tried(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof QanatError)) throw error
    showError(error, false)
    process.exitCode = 0
    return false
  }
}

function show(text: string): void {
  process.stderr.write(`${displayable(text)}\n`)
}
