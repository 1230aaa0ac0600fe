/**
 * Stores which execution of a group was read: a requeue by a scheduler repeats it within the same attempt. Of groups that were
 * requeued before, nobody knows which one it was.
 */
export const executions = `
ALTER TABLE readings ADD COLUMN restarts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE readings ADD COLUMN finished INTEGER;

DELETE FROM readings WHERE (run_id, number) IN (SELECT run_id, number FROM groups WHERE restarts > 0);
DELETE FROM reading_warnings WHERE (run_id, number) NOT IN (SELECT run_id, number FROM readings);
UPDATE readings SET finished = groups.finished FROM groups
  WHERE groups.run_id = readings.run_id AND groups.number = readings.number;
`
