import type { Fingerprint } from '../../domain/data/fingerprint.js'
import type { Run } from '../../domain/runs/run.js'
import type { Workspace } from '../workspace.js'
import type { CertainChange } from './data-now.js'

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

/** Which groups of runs have perhaps read other data than is recorded, a sentence each. */
export function otherData({ store }: Workspace, runs: readonly Pick<Run, 'id'>[]): string[] {
  const noted = new Set(store.data.noted())
  return runs
    .filter(({ id }) => noted.has(id))
    .flatMap(({ id }) => store.data.of(id).flatMap(({ notes = [] }) => notes))
}
