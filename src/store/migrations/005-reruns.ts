/** Stores which run a rerun repeats. Before, a tag said so; reruns copied tags, so the last such tag counts. */
export const reruns = `
ALTER TABLE runs ADD COLUMN rerun_of INTEGER;

UPDATE runs SET rerun_of = (
  SELECT CAST(substr(value, 10) AS INTEGER) FROM json_each(tags) WHERE value GLOB 'rerun id [1-9]*' ORDER BY key DESC LIMIT 1
) WHERE json_valid(tags);
`
