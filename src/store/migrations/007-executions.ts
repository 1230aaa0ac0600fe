/**
 * Stores which execution of a group was read: a requeue by a scheduler repeats it within the same attempt. Of groups that were
 * requeued before, nobody knows which one it was. Stores the best values of each run, so that lists read no groups.
 */
export const executions = `
ALTER TABLE readings ADD COLUMN restarts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE readings ADD COLUMN finished INTEGER;

CREATE TABLE best_metrics (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID;

-- What was best when the best values of a run were found; null if they have to be found again.
ALTER TABLE read_sources ADD COLUMN best TEXT;

DELETE FROM readings WHERE (run_id, number) IN (SELECT run_id, number FROM groups WHERE restarts > 0);
DELETE FROM reading_warnings WHERE (run_id, number) NOT IN (SELECT run_id, number FROM readings);
UPDATE readings SET finished = groups.finished FROM groups
  WHERE groups.run_id = readings.run_id AND groups.number = readings.number;
`
