import { codeRepository, hashOfCode, type RecordedCode } from '../../code/compare.js'
import type { CountsAsCode } from '../../domain/code-used.js'
import { type Run, ranOtherCode } from '../../domain/runs/run.js'
import { findExperiment } from '../registry/find-experiment.js'
import type { Workspace } from '../workspace.js'
import { comparedCodeOf } from './code-definition.js'

/** How many commits are read at a time. */
const atOnce = 8

/**
 * A name for the code of each run of an experiment, the same for all commits of which only what does not count as code differs:
 * the commit at which its runs ran, with the beginning of its hash if they had uncommitted changes. Code that ran at several
 * commits, or with and without uncommitted changes, is named by its hash alone, since no commit is true of all of its runs. A run
 * whose code changed while it ran has a name of its own.
 * @returns by the ids of the runs; empty if all have the same code
 */
export async function codeNames(workspace: Workspace, runs: readonly Run[]): Promise<ReadonlyMap<number, string>> {
  const [first] = runs
  const isOther = (run: Run) => run.commit !== first?.commit || run.dirty || ranOtherCode(run)
  if (!first || !runs.some(isOther)) return new Map()
  const recorded = runs.map(run => ({ run, tree: workspace.store.runs.launch(run.id).tree }))
  const states = new Map<string, RecordedCode>()
  for (const { run, tree } of recorded) states.set(tree ?? run.commit, { commit: run.commit, tree })
  if (states.size === 1 && !runs.some(ranOtherCode)) return new Map()
  const hashes = await hashesOfCode(
    workspace,
    comparedCodeOf(workspace, findExperiment(workspace, first.experiment)),
    states,
  )
  const codes = recorded.map(({ run, tree }) => ({
    run,
    code: ranOtherCode(run) ? null : (hashes.get(tree ?? run.commit) ?? run.codeUsed ?? run.commit),
  }))
  if (runs.length === 1 || (codes[0]!.code !== null && codes.every(({ code }) => code === codes[0]!.code)))
    return new Map()
  const places = new Map<string, Set<string>>()
  for (const { run, code } of codes) {
    if (code === null) continue
    const place = `${run.commit.slice(0, 7)}${run.dirty ? `+${code.slice(0, 4)}` : ''}`
    places.set(code, (places.get(code) ?? new Set()).add(place))
  }
  const name = (code: string) => {
    const [place, ...others] = places.get(code)!
    return others.length === 0 ? place! : `code ${code.slice(0, 7)}`
  }
  const changed = ({ id, commit }: Run) => `${commit.slice(0, 7)} changed (run ${id})`
  return new Map(codes.map(({ run, code }) => [run.id, code === null ? changed(run) : name(code)]))
}

/** The hashes of states of the code, by their names. States that are not in the repository are left out. */
export async function hashesOfCode(
  workspace: Workspace,
  counts: CountsAsCode,
  states: ReadonlyMap<string, RecordedCode>,
): Promise<Map<string, string>> {
  const repository = await codeRepository(workspace.project.root)
  const hashes = new Map<string, string>()
  if (repository === null) return hashes
  const waiting = [...states]
  while (waiting.length > 0) {
    const some = waiting.splice(0, atOnce).map(async ([name, recorded]) => {
      const hash = await hashOfCode(repository, recorded, counts)
      if (hash !== null) hashes.set(name, hash)
    })
    await Promise.all(some)
  }
  return hashes
}
