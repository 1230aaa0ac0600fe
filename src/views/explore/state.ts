import type { Experiment } from '../../domain/experiment.js'
import type { ListedRun } from '../../domain/results/best.js'
import type { BrowsedGroup } from '../../operations/browse/run-pages.js'

// What the screen of run_explore shows. All of it is plain data: keys make new states (reduce.ts), and a state and a size
// make lines (render.ts).

/** Of the terminal, in cells. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A list of which only the rows that can be seen are known. */
export interface List<Row> {
  readonly ids: readonly number[]
  readonly at: number
  /** How many rows there are without the filter. */
  readonly total: number
  readonly line: string
  /** Rows by id; they are read before they are drawn. */
  readonly rows: ReadonlyMap<number, Row>
}

/** Something that can be done with a run. */
export interface Entry {
  readonly key: string
  readonly name: string
  /** What is asked before it is done; null if nothing is. */
  readonly question: string | null
  /** The action whose arguments are asked for; null if it is none. */
  readonly action: string | null
}

export interface RunsPage {
  readonly kind: 'runs'
  readonly experiment: Experiment
  readonly list: List<ListedRun>
  /** Facts about the run that is chosen, one a line. */
  readonly preview: readonly string[]
  /** When the state of the live runs was asked for last, in milliseconds since the epoch; null if none is live. */
  readonly asOf: number | null
}

export interface RunPage {
  readonly kind: 'run'
  readonly run: number
  readonly title: string
  /** One a line. */
  readonly facts: readonly string[]
  readonly entries: readonly Entry[]
  readonly list: List<BrowsedGroup>
  readonly varying: readonly string[]
  readonly metrics: readonly string[]
}

export type Tab = 'a' | 'b' | 'c' | 'e' | 'm' | 'w'

/** The tabs of a group by their letters, which are those of the page of a run. */
export const tabs: Readonly<Record<Tab, string>> = {
  a: 'Output',
  b: 'Errors',
  c: 'Parameters',
  e: 'Files',
  m: 'Metrics',
  w: 'Why',
}

/** A group: its logs, parameters, files, metrics. */
export interface GroupPage {
  readonly kind: 'group'
  readonly run: number
  readonly index: number
  readonly title: string
  readonly tab: Tab
  readonly text: readonly string[]
  /** The first line that is shown, from 0; null for the end, which is followed. */
  readonly top: number | null
}

export type Page = RunsPage | RunPage | GroupPage

/** What the user is asked for, at the foot of the screen. */
export type Question =
  | { readonly kind: 'sure'; readonly text: string; readonly yes: Command }
  /** A filter line, with what can be typed in it. */
  | { readonly kind: 'filter'; readonly text: string; readonly known: KnownWords; readonly at: number }
  /** The arguments of an action; then the group, if the run has several. */
  | {
      readonly kind: 'action'
      readonly text: string
      readonly run: number
      readonly action: string
      readonly groups: number
      /** Null until they are given. */
      readonly words: string | null
    }
  | { readonly kind: 'keys' }

/** Words that a filter line can have. */
export interface KnownWords {
  /** Values by name: `status` has `failed`. */
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly parameters: readonly string[]
  readonly metrics: readonly string[]
  readonly sortings: readonly string[]
}

/** What a key asks for beyond another state. */
export type Command =
  | { readonly do: 'leave'; readonly code: number }
  | { readonly do: 'stop' }
  | { readonly do: 'open run'; readonly run: number }
  | { readonly do: 'open group'; readonly run: number; readonly index: number }
  | { readonly do: 'open tab'; readonly tab: Tab }
  | { readonly do: 'page tab' }
  | { readonly do: 'ask for filter'; readonly text: string }
  | { readonly do: 'filter'; readonly text: string }
  | { readonly do: 'entry'; readonly run: number; readonly key: string }
  | {
      readonly do: 'action'
      readonly run: number
      readonly action: string
      readonly words: string
      readonly group: string
    }

export interface State {
  /** From the first to the one that is shown. */
  readonly pages: readonly [Page, ...Page[]]
  readonly question: Question | null
  /** What was done or went wrong, until the next key. */
  readonly notice: string
  /** What is wrong with the states that are shown, until it is right again. */
  readonly problem: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The page that is shown. */
export function pageOf({ pages }: State): Page {
  return pages.at(-1)!
}

/** The same state with another page in place of the one that is shown. */
export function withPage(state: State, page: Page): State {
  return { ...state, pages: [...state.pages.slice(0, -1), page] as unknown as State['pages'] }
}
