/** Adds holds, requeues, ends that wait for confirmation, the times of polls, later launches, and the trash. */
export const schedulers = `
ALTER TABLE groups ADD COLUMN reason TEXT;
ALTER TABLE groups ADD COLUMN restarts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE groups ADD COLUMN awaiting INTEGER;
ALTER TABLE groups ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;
CREATE INDEX awaiting_groups ON groups (run_id) WHERE awaiting IS NOT NULL;

ALTER TABLE runs ADD COLUMN groups_awaiting INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
DROP INDEX live_runs;
ALTER TABLE runs DROP COLUMN live;
ALTER TABLE runs ADD COLUMN live INTEGER
  AS (NOT deleted AND groups_pending + groups_running + groups_held + groups_awaiting > 0);
CREATE INDEX live_runs ON runs (live) WHERE live;

CREATE TABLE scheduler_polls (
  runner TEXT PRIMARY KEY,
  asked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
