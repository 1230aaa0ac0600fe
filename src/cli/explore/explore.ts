import type { Experiment } from '../../domain/experiment.js'
import { isOver, isSettled } from '../../domain/runs/aggregate.js'
import type { Run } from '../../domain/runs/run.js'
import { isWanted, readFilter } from '../../domain/runs/run-filter.js'
import { QanatError } from '../../errors.js'
import { refreshRuns } from '../../operations/runs/refresh-runs.js'
import type { Workspace } from '../../operations/workspace.js'
import { experimentCard } from '../../views/experiment.js'
import { runCard, runLine } from '../../views/explore.js'
import { displayable } from '../../views/format/displayable.js'
import { styleOf } from '../../views/format/style.js'
import { showError } from '../explain.js'
import { askForText } from '../prompts.js'
import { choose, type MenuItem } from './menu.js'
import { type RunEntry, runEntries } from './run-entries.js'

/** Filters as they were typed, by name. */
type Given = Partial<Record<'tag' | 'description' | 'status' | 'runner' | 'commit' | 'parameter', string>>

const filterNames = ['tag', 'description', 'status', 'runner', 'commit', 'parameter'] as const

const style = styleOf(process.stderr)
const pointer = style.symbol('❯').trim() || '>'

/** Walks through the runs of an experiment until its user leaves. */
export async function explore(workspace: Workspace, experiment: Experiment): Promise<void> {
  let given: Given = {}
  for (;;) {
    const runs = await wantedRuns(workspace, experiment, given)
    show(experimentCard(style, experiment))
    const filters = Object.entries(given).map(([name, value]) => `${name} ${value}`)
    const narrowed = filters.length > 0 ? `, narrowed by ${filters.join(', ')}` : ''
    const items = [
      { key: 's', name: () => 'Search', value: 'search' },
      { key: 'm', name: () => `Menu: ${runs.length} run${runs.length === 1 ? '' : 's'}${narrowed}`, value: 'menu' },
      { key: 'q', name: () => 'Quit', value: 'quit' },
    ]
    const hints: Record<string, string> = {
      search: 'Narrow the runs by tag, description, status, runner, commit or parameter',
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
    if (chosen === 'search') given = await search(workspace, experiment, given)
    else if (chosen === 'menu') await browse(workspace, runs)
    else return
  }
}

/** One filter after the other, with how many runs they leave. */
async function search(workspace: Workspace, experiment: Experiment, before: Given): Promise<Given> {
  let given = before
  for (;;) {
    const count = (await wantedRuns(workspace, experiment, given)).length
    const items: MenuItem<string>[] = filterNames.map(name => ({
      key: name[0]!,
      name: () => `${name}${given[name] === undefined ? '' : `: ${given[name]}`}`,
      value: name,
    }))
    items.push(
      { key: 'x', name: () => 'Reset', value: 'reset' },
      { key: 'q', name: () => `Done: ${count} left`, value: 'done' },
    )
    const preview = () => `${count} run${count === 1 ? '' : 's'}; an empty answer takes a filter away`
    const chosen = await choose({ message: 'Narrow by', items, preview, letters: 'keys', pointer })
    if (chosen === null || chosen === 'done') return given
    if (chosen === 'reset') given = {}
    else given = await withFilter(given, chosen as (typeof filterNames)[number])
  }
}

async function withFilter(given: Given, name: (typeof filterNames)[number]): Promise<Given> {
  const hint = name === 'parameter' ? ' (a value, or --option:value)' : ''
  const text = (await askForText(`${name}${hint}`, given[name] ?? '')).trim()
  const { [name]: _before, ...others } = given
  const changed = text === '' ? others : { ...others, [name]: text }
  return (await tried(async () => void filterOf(changed))) ? changed : given
}

function filterOf({ tag, status, commit, parameter }: Given) {
  const given = { tag, status, param: parameter }
  const lists = Object.entries(given).filter(([, value]) => value !== undefined)
  return readFilter(
    { ...Object.fromEntries(lists.map(([name, value]) => [name, [value!]])), ...(commit && { commit }) },
    0,
  )
}

async function wantedRuns(workspace: Workspace, experiment: Experiment, given: Given): Promise<Run[]> {
  const { runs } = workspace.store
  await refreshRuns(
    workspace,
    runs.listOf(experiment.name).filter(run => !isSettled(run)),
  )
  const filter = filterOf(given)
  const wanted = runs
    .listOf(experiment.name)
    .filter(
      run =>
        (given.description === undefined || run.description.includes(given.description)) &&
        (given.runner === undefined || run.runner === given.runner) &&
        isWanted(run, filter, each => runs.launch(each.id).grid),
    )
  return [...wanted.filter(run => !isOver(run.counts)), ...wanted.filter(run => isOver(run.counts))]
}

async function browse(workspace: Workspace, runs: readonly Run[]): Promise<void> {
  const items = runs.map(run => ({ name: () => runLine(style, run), value: run }))
  const preview = (run: Run) => runCard(style, run, workspace.store.runs.launch(run.id).grid, Date.now())
  for (;;) {
    const message = 'Run? (type to narrow, Escape to go back)'
    const run = await choose({ message, items, preview, letters: 'search', pointer })
    if (run === null) return
    await explorePage(workspace, run)
  }
}

/** The page of a run, until its user leaves it. */
export async function explorePage(workspace: Workspace, found: Run): Promise<void> {
  for (;;) {
    if (!isSettled(found)) await refreshRuns(workspace, [found])
    const run = workspace.store.runs.find(found.id)
    if (run === null) return
    show(`\nRun ${run.id} of experiment ${run.experiment}`)
    show(runCard(style, run, workspace.store.runs.launch(run.id).grid, Date.now()))
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
      preview: each => each?.hint ?? 'To where you came from',
      letters: 'keys',
      pointer,
    })
    if (entry === null) return
    await tried(() => entry.run())
  }
}

/** Says what went wrong, and goes on. @returns whether all went well */
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
