import type { Fingerprint } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import { fewInSentence } from '../../domain/text/names.js'
import type { Workspace } from '../workspace.js'
import type { CertainChange } from './data-now.js'

/** Stands for a run in a sentence. */
const anyRun = '\0'

/** Keeps with a run that an attempt reads other data than the run has recorded. */
export function noteOtherData(
  { store }: Workspace,
  run: Run,
  attempt: number,
  changes: readonly CertainChange[],
): void {
  store.transaction(() => {
    for (const { dataset, text } of changes) store.data.note(run.id, dataset, `${launchOf(run, attempt)}${text}`)
  })
}

/** Whether the data had changed already when an attempt was launched. */
export function isNotedAtLaunch(run: Run, attempt: number, { notes = [] }: Fingerprint): boolean {
  return notes.some(text => text.startsWith(launchOf(run, attempt)))
}

function launchOf({ id }: Run, attempt: number): string {
  return `run ${id}, attempt ${attempt}: `
}

/**
 * Sentences about groups that have perhaps read other data than is recorded; each names all runs for which it is true.
 */
export function otherData({ store }: Workspace, runs: readonly Pick<Run, 'id'>[]): string[] {
  const noted = new Set(store.data.noted())
  const runsWith = new Map<string, string[]>()
  for (const { id } of runs.filter(run => noted.has(run.id))) {
    for (const text of store.data.of(id).flatMap(({ notes = [] }) => notes)) {
      const told = text.replaceAll(new RegExp(`\\brun ${id}\\b`, 'g'), anyRun)
      runsWith.set(told, [...(runsWith.get(told) ?? []), String(id)])
    }
  }
  return [...runsWith].map(([told, ids]) =>
    told.replaceAll(anyRun, `run${ids.length === 1 ? '' : 's'} ${fewInSentence(ids)}`),
  )
}
