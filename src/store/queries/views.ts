import { groupStates } from '../../domain/runs/run.js'
import { isOfExecution } from '../readings.js'

// Programs rely on the names of these views and of their columns.

/** A time in milliseconds since the epoch as text. */
const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`
const total = groupStates.map(state => `groups_${state}`).join(' + ')

/** A number of our JSON, in which numbers that are not finite are texts. SQL has infinity, but no NaN. */
const number = (value: string) =>
  `CASE ${value} WHEN 'NaN' THEN NULL WHEN 'Infinity' THEN 9e999 WHEN '-Infinity' THEN -9e999 ELSE CAST(${value} AS REAL) END`
/** Of a metric: a number of a series, or the metric itself, which has to be a number. */
const statistic = (name: string, text: string) => `CASE
  WHEN type = 'object' THEN ${number(`json_extract(value, '$.${name}')`)}
  WHEN type = 'text' AND value NOT IN ('NaN', 'Infinity', '-Infinity') THEN ${text}
  ELSE ${number('value')} END`
const ofSeries = (name: string, otherwise = '') =>
  `CASE type WHEN 'object' THEN json_extract(value, '$.${name}') ${otherwise} END`

/** The views of queries that are the same in each project. `run_status` is a function that a connection has to provide. */
export const commonViews: Readonly<Record<string, string>> = {
  runs: `SELECT runs.id AS run, experiments.name AS experiment, run_status(${groupStates.map(state => `groups_${state}`)}) AS status,
      runner, nullif(site, 'here') AS context, commit_sha AS "commit", dirty, code_used, code_changed, storage_path, runs.description, ${time('launched')} AS launched,
      ${time('started')} AS started, ${time('finished')} AS finished, (finished - started) / 1000.0 AS duration_s, progress,
      ${total} AS groups_total, ${groupStates.map(state => `groups_${state}`)},
      json_extract(runner_parameters, '$.submitTemplate') AS submit_template,
      json_extract(runner_parameters, '$.slots') AS n_threads,
      json_extract(runner_parameters, '$.container.image') AS container,
      (SELECT group_concat(value, ' ') FROM json_each(runs.tags)) AS tags,
      ${time("json_extract(retired, '$.at')")} AS retired
    FROM main.runs JOIN main.experiments ON experiments.id = experiment_id WHERE NOT deleted`,
  groups: `SELECT experiments.name AS experiment, run_id AS run, number AS "group", state AS status, cause, exit_code, signal,
      groups.host, job_id, ${time('groups.started')} AS started, ${time('groups.finished')} AS finished,
      (groups.finished - groups.started) / 1000.0 AS duration_s, groups.attempt,
      peak_memory AS peak_memory_bytes, cpu_time AS cpu_s, groups.gpus
    FROM main.groups JOIN main.runs ON runs.id = run_id JOIN main.experiments ON experiments.id = experiment_id
    WHERE NOT deleted
    UNION ALL
    SELECT experiment, run, number, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL FROM (
      WITH RECURSIVE waiting (experiment, run, number, total) AS (
        SELECT experiments.name, runs.id, 0, ${total} FROM main.runs JOIN main.experiments ON experiments.id = experiment_id
          WHERE NOT deleted AND groups_pending > 0
        UNION ALL SELECT experiment, run, number + 1, total FROM waiting WHERE number + 1 < total)
      SELECT * FROM waiting
        WHERE NOT EXISTS (SELECT 1 FROM main.groups WHERE run_id = waiting.run AND groups.number = waiting.number))`,
  metrics: `SELECT experiments.name AS experiment, run_id AS run, number AS "group", key AS metric,
      ${statistic('last', 'value')} AS value, ${statistic('min', 'NULL')} AS min, ${statistic('max', 'NULL')} AS max,
      ${ofSeries('minStep')} AS min_step, ${ofSeries('maxStep')} AS max_step, ${ofSeries('count', 'ELSE 1')} AS count
    FROM main.readings JOIN main.groups USING (run_id, number) JOIN main.runs ON runs.id = run_id
      JOIN main.experiments ON experiments.id = experiment_id, json_each(readings.metrics)
    WHERE ${isOfExecution} AND NOT deleted`,
}
