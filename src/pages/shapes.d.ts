import type * as views from '../views/browse/pages.js'
import type { plotPage } from '../views/browse/plot.js'
import type * as registered from '../views/browse/registered.js'
import type { reportPage } from '../views/browse/report.js'
import type { Fact } from '../views/model.js'
import type { PageTable } from '../views/render/page.js'
import type { comparisonPage } from '../views/results/comparison.js'
import type { pairPage } from '../views/results/pair.js'

// What the server answers, as its own code declares it.

export type { Fact, PageTable }
export type Counts = Partial<Record<string, number>>
export type Part = { first: number; count: number }
export type WithCommand = { command: string }
export type Overview = ReturnType<typeof views.overviewPage> & WithCommand
export type Runs = ReturnType<typeof views.runsPage> & WithCommand & Part & { description?: string; facts?: Fact[] }
export type Documents = ReturnType<typeof registered.documentsPage> & WithCommand
export type Document = ReturnType<typeof registered.documentPage> & WithCommand
export type Datasets = ReturnType<typeof registered.datasetsPage> & WithCommand
export type Run = ReturnType<typeof views.runPageData> &
  WithCommand & { list: ReturnType<typeof views.groupsPage> & Part }
export type Report = ReturnType<typeof reportPage>
type KnownFailure = ReturnType<typeof views.failuresPage>['kinds'][number]
/** In a report with the last lines of an example, and without links. */
export type FailureKind = Omit<KnownFailure, 'groups'> & {
  lines?: readonly string[]
  groups: readonly { title: string; link?: string }[]
}
export type Failures = ReturnType<typeof views.failuresPage> & WithCommand
/** Whether groups run, which may leave more. */
type Growing = { grows: boolean }
export type Comparison = ReturnType<typeof comparisonPage> & WithCommand & Part & Growing
export type Pair = ReturnType<typeof pairPage> & WithCommand
export type Plot = ReturnType<typeof plotPage> &
  WithCommand &
  Growing & { digest: string; problem: { message: string; hint: string | null } | null }
export type Group = ReturnType<typeof views.groupPage>

/** A page: what it asks the server for, and what it shows. */
export interface Page<Data> {
  /** Yields data as soon as there is something to show; without it, what the server answers. @param before what is shown now */
  load?(words: string[], query: URLSearchParams, before: Data | null): AsyncGenerator<Data>
  draw(data: Data, words: string[]): Drawn
  /** Whether there may be more of what is shown although nothing in the database has changed. */
  grows?(data: Data): boolean
  /** Milliseconds between two refreshes, if not those of a change. */
  readonly pause?: number
}

export interface Drawn {
  /** From the project to the page above. */
  readonly above: readonly { title: string; link: string }[]
  readonly title: string
  readonly content: (Node | null)[]
}
