/** Experiments, datasets and runs. A group has a row only once it is more than pending. */
export const initial = `
CREATE TABLE datasets (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  path TEXT NOT NULL,
  tags TEXT NOT NULL
) STRICT;

CREATE TABLE experiments (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  path TEXT NOT NULL,
  executable TEXT NOT NULL,
  executable_command TEXT NOT NULL,
  tags TEXT NOT NULL,
  actions TEXT NOT NULL
) STRICT;

CREATE TABLE experiment_datasets (
  experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  dataset_id INTEGER NOT NULL REFERENCES datasets (id),
  PRIMARY KEY (experiment_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  experiment_id INTEGER NOT NULL REFERENCES experiments (id),
  token TEXT NOT NULL UNIQUE,
  runner TEXT NOT NULL,
  runner_parameters TEXT NOT NULL,
  commit_sha TEXT NOT NULL,
  dirty INTEGER NOT NULL,
  code_changed INTEGER,
  frozen TEXT,
  storage_path TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  launched INTEGER NOT NULL,
  started INTEGER,
  finished INTEGER,
  progress REAL,
  as_of INTEGER NOT NULL,
  host TEXT,
  groups_pending INTEGER NOT NULL,
  groups_running INTEGER NOT NULL DEFAULT 0,
  groups_held INTEGER NOT NULL DEFAULT 0,
  groups_finished INTEGER NOT NULL DEFAULT 0,
  groups_failed INTEGER NOT NULL DEFAULT 0,
  groups_cancelled INTEGER NOT NULL DEFAULT 0,
  groups_lost INTEGER NOT NULL DEFAULT 0,
  live INTEGER NOT NULL AS (groups_pending + groups_running + groups_held > 0)
) STRICT;

CREATE INDEX runs_of_experiment ON runs (experiment_id, id);
CREATE INDEX live_runs ON runs (live) WHERE live;

-- What only a launch, a refresh or a detailed view reads; it can be large.
CREATE TABLE launches (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  grid TEXT NOT NULL,
  definition TEXT NOT NULL,
  launcher TEXT NOT NULL,
  handles TEXT NOT NULL
) STRICT;

CREATE TABLE groups (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  state TEXT NOT NULL,
  cause TEXT,
  exit_code INTEGER,
  signal TEXT,
  host TEXT,
  job_id TEXT,
  started INTEGER,
  finished INTEGER,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX groups_by_state ON groups (run_id, state);
`
