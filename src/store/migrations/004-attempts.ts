/**
 * Makes attempts and submissions rows, so that commands that launch groups of the same run overwrite nothing of each
 * other. Stores how far the files of a run have been read. Stores polls by site and runner.
 */
export const attempts = `
CREATE TABLE attempts (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  groups TEXT,
  submit_template TEXT,
  resolved TEXT NOT NULL,
  launched INTEGER NOT NULL,
  launcher TEXT NOT NULL,
  complete INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER,
  taken_back INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE submissions (
  run_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  job TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (run_id, attempt, first),
  FOREIGN KEY (run_id, attempt) REFERENCES attempts (run_id, attempt) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO attempts (run_id, attempt, groups, submit_template, resolved, launched, launcher)
  SELECT runs.id, 1, NULL, json_extract(runner_parameters, '$.submitTemplate'),
    coalesce(json_extract(runner_parameters, '$.resolved'), '{}'), launched, launcher
  FROM runs JOIN launches ON run_id = runs.id;

INSERT INTO attempts (run_id, attempt, groups, submit_template, resolved, launched, launcher)
  SELECT run_id, json_extract(value, '$.attempt'), json_extract(value, '$.groups'), json_extract(value, '$.submitTemplate'),
    coalesce(json_extract(value, '$.resolved'), '{}'), json_extract(value, '$.launched'), launcher
  FROM launches, json_each(definition, '$.retries');

INSERT INTO submissions (run_id, attempt, first, count, job, data)
  SELECT run_id, coalesce(json_extract(value, '$.attempt'), 1), coalesce(json_extract(value, '$.first'), 0),
    coalesce(json_extract(value, '$.count'), groups_pending + groups_running + groups_held + groups_finished + groups_failed
      + groups_cancelled + groups_lost),
    json_extract(value, '$.id'), json_extract(value, '$.data')
  FROM runs JOIN launches ON run_id = runs.id, json_each(handles);

UPDATE launches SET definition = json_remove(definition, '$.retries');
ALTER TABLE launches DROP COLUMN launcher;
ALTER TABLE launches DROP COLUMN handles;

CREATE TABLE looks (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  cursor TEXT NOT NULL
) STRICT;

DROP TABLE scheduler_polls;
CREATE TABLE polls (
  site TEXT NOT NULL,
  runner TEXT NOT NULL,
  asked INTEGER NOT NULL,
  PRIMARY KEY (site, runner)
) STRICT, WITHOUT ROWID;
`
