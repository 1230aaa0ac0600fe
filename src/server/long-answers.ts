import { createHash } from 'node:crypto'
import type { Plot } from '../domain/results/plot/plot.js'
import { UserError } from '../errors.js'
import { browsedDatasets, browsedDocuments } from '../operations/browse/registered.js'
import { documentStatus } from '../operations/documents/document-status.js'
import { findDocument } from '../operations/registry/find-experiment.js'
import { compareExperiment } from '../operations/results/compare/compare-experiment.js'
import { comparePair } from '../operations/results/compare/compare-pair.js'
import { failureKinds } from '../operations/results/failure-kinds.js'
import { attemptPlot, type PlotRequest } from '../operations/results/plot/plot-experiment.js'
import type { Workspace } from '../operations/workspace.js'
import { failuresPage } from '../views/browse/pages.js'
import { plotPage } from '../views/browse/plot.js'
import { datasetsPage, documentPage, documentsPage } from '../views/browse/registered.js'
import { drawPlot } from '../views/plots/draw-plot.js'
import { onDark, onLight } from '../views/plots/style.js'
import { comparisonPage } from '../views/results/comparison.js'
import { pairPage } from '../views/results/pair.js'
import { askedComparison, askedGroups, askedPart, askedPlot, askedWidth, commandText } from './asked.js'
import type { Answers } from './reply.js'

const long =
  /^\/api\/(documents(\/[^/]+)?|datasets|experiments\/[^/]+\/(compare|pair|plot|plot\.svg)|runs\/\d+\/failures)$/
const list = /^\/api\/(runs|experiments\/[^/]+)$/
const groups = /^\/api\/runs\/\d+$/

/** Whether a question needs the metrics of many groups, a look into many files, or all runs of a long list. */
export function takesLong({ pathname, searchParams }: URL): boolean {
  const isOfAll = ['filter', 'where', 'sort'].some(name => searchParams.has(name))
  const isList = list.test(pathname) || groups.test(pathname)
  // The groups of a run in a state are found at once.
  const isOfState = searchParams.has('status') && list.test(pathname)
  return long.test(pathname) || isOfState || (isOfAll && isList)
}

/** What pages can ask of a project and takes long, see {@link takesLong}. */
export function longAnswersOf(workspace: Workspace): Answers {
  const grows = (experiment: string) => growsNow(workspace, experiment)
  const drawn = new Map<string, Plot>()
  const compared = kept(workspace, (request: Parameters<typeof compareExperiment>[1]) =>
    compareExperiment(workspace, request),
  )
  const plotted = kept(workspace, (request: PlotRequest) => attemptPlot(workspace, { ...request, isLive: true }))
  return {
    documents: async () => ({
      ...documentsPage(await browsedDocuments(workspace)),
      command: commandText('document', 'list'),
    }),
    'documents/NAME': async ({ words: [name = ''] }) => {
      const document = findDocument(workspace, name)
      const { statuses } = await documentStatus(workspace, document)
      return { ...documentPage(document, statuses), command: commandText('document', 'status', name) }
    },
    datasets: async () => ({
      ...datasetsPage(await browsedDatasets(workspace)),
      command: commandText('dataset', 'list'),
    }),
    'experiments/NAME/compare': async ({ words: [name = ''], query }) => {
      const { request, ci, options } = askedComparison(name, query)
      const { first, count } = askedPart(query)
      const page = comparisonPage(await compared(request), ci ? { method: 't' } : null, first, count)
      return { ...page, first, count, grows: grows(name), command: commandText('compare', name, ...options) }
    },
    'experiments/NAME/pair': async ({ words: [name = ''], query }) => {
      const groups = askedGroups(query)
      return { ...pairPage(await comparePair(workspace, name, groups)), command: commandText('compare', ...groups) }
    },
    'experiments/NAME/plot': async ({ words: [name = ''], query }) => {
      const { request, options, wrong } = understoodPlot(name, query)
      const more = { grows: grows(name), command: commandText('plot', name, ...options, '-o', 'plot.svg') }
      const made = await plotted(request)
      if ('problem' in made || wrong) {
        const { message, hint } = 'problem' in made ? made.problem : wrong!
        return { ...plotPage(made, null, request), problem: { message, hint }, digest: '', ...more }
      }
      // Each picture has its own address, so that the browser fetches it again only if it has changed.
      const digest = createHash('sha256').update(JSON.stringify(made.plot)).digest('hex').slice(0, 16)
      drawn.set(digest, made.plot)
      if (drawn.size > mostDrawn) drawn.delete(drawn.keys().next().value!)
      return { ...plotPage(made, made, request), problem: null, digest, ...more }
    },
    'experiments/NAME/plot.svg': async ({ words: [name = ''], query }) => {
      const known = drawn.get(query.get('of') ?? '')
      const made = known ? { plot: known } : await plotted(askedPlot(name, query).request)
      if ('problem' in made) throw made.problem
      return drawPlot(made.plot, askedWidth(query), query.has('dark') ? onDark : onLight)
    },
    'runs/ID/failures': async ({ words: [id = ''] }) => {
      const run = workspace.store.runs.get(Number(id))
      const failures = await failureKinds(workspace, run.experiment, { words: [id], filter: null })
      return { ...failuresPage(failures), command: commandText('failures', id) }
    },
  }
}

/** What is asked for; the usual plot, and what is wrong, if that cannot be understood: a page has its controls then, too. */
function understoodPlot(name: string, query: URLSearchParams) {
  try {
    return { ...askedPlot(name, query), wrong: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { ...askedPlot(name, new URLSearchParams()), wrong: error }
  }
}

/** Plots of which the pictures may be asked for. */
const mostDrawn = 20

/** Whether groups of an experiment run, so that there may be more metrics although nothing in the database has changed. */
function growsNow({ store }: Workspace, experiment: string): boolean {
  return (store.pages.statusCounts().get(experiment)?.running ?? 0) > 0
}

/**
 * Pages ask for parts of one answer one after the other. The answer is made once, until something in the database
 * changes, or if groups run.
 */
function kept<Request extends { readonly experiment: string }, Made>(
  workspace: Workspace,
  make: (request: Request) => Promise<Made>,
) {
  let known: { readonly key: string; readonly made: Made } | null = null
  return async (request: Request): Promise<Made> => {
    const key = JSON.stringify(request)
    const isKept = known?.key === key + workspace.store.version() && !growsNow(workspace, request.experiment)
    if (isKept) return known!.made
    const made = await make(request)
    // Reading metrics and refreshing runs has changed the database.
    known = { key: key + workspace.store.version(), made }
    return made
  }
}
