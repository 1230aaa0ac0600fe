import { stringify } from 'csv-stringify/sync'
import type { Run } from '../../domain/runs/run.js'
import { runJson } from '../json.js'

/** Runs as a table for other programs: the flat facts of their JSON under the same names. */
export function runsCsv(runs: readonly Run[]): string {
  const rows = runs.map(run => {
    const { groups, runner_params: parameters, tags, ...flat } = runJson(run)
    const counts = Object.fromEntries(Object.entries(groups).map(([name, count]) => [`groups_${name}`, count]))
    const { submit_template, n_threads, container } = parameters
    return { ...flat, ...counts, submit_template, n_threads, container, tags: tags.join(' ') }
  })
  return stringify(rows, { header: true, cast: { boolean: value => String(value) } })
}
