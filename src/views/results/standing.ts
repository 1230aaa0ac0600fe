import { countOf, type Standing } from '../../domain/results/comparison/standing.js'

/** How many cells of a grid have come how far, and in which runs. */
export function standingJson({ cells, finished, running, pending, missing }: Standing) {
  const runs = { finished: [...finished.keys()], running: [...running.keys()], pending: [...pending.keys()] }
  const counts = { finished: countOf(finished), running: countOf(running), pending: countOf(pending) }
  return { cells, ...counts, missing: missing.length, runs }
}
