/**
 * What the groups of experiments are to leave, and the metrics that were read from the files of groups: a JSON object with
 * an entry a metric (see domain/results/metrics.ts).
 */
export const results = `
ALTER TABLE experiments ADD COLUMN results TEXT NOT NULL DEFAULT '{"metrics":[],"best":{},"outputs":[]}';

CREATE TABLE readings (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  metrics TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

-- What was wrong with the files of groups.
CREATE TABLE reading_warnings (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  warning TEXT NOT NULL,
  PRIMARY KEY (run_id, number, warning)
) STRICT, WITHOUT ROWID;

-- Where the metrics of a run were looked for.
CREATE TABLE read_sources (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  sources TEXT NOT NULL
) STRICT;
`
