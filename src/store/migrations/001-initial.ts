/**
 * The schema of the first release. A group has a row only once it is more than pending. Times are in milliseconds since the
 * epoch, but `groups.cpu_time` is in seconds; sizes and `groups.peak_memory` are in bytes.
 *
 * - `datasets`, `experiments`, `documents`: the index of the definitions, see registry/definitions.ts. A definition and a
 *   problem are JSON; a file is relative to the project.
 * - `launches`: what only a launch, a refresh or a detailed view reads; it can be large.
 * - `refreshes`: how far the files of a run have been read.
 * - `readings`: the metrics of a group, a JSON object with an entry a metric (domain/results/metrics.ts), and the execution that
 *   they are of; `reading_warnings`: what was wrong with its files, and in which line if it is known; `read_sources`: where the
 *   metrics of a run were looked for, and what was best when `best_metrics` were found (null if they have to be found again).
 * - `runs.slots`, `runs.has_no_worker`: see `Dealing` (domain/runs/run.ts).
 * - `runs.code_used`: the hash of the code that a run uses (64 lowercase hexadecimal digits).
 * - `run_data`: what each run read, a row a dataset, in the order of the experiment's datasets. `fingerprint` is the JSON of
 *   a `Fingerprint` (domain/data); the files are listed below `.qanat/data/`.
 * - `environments`: the environments in which groups ran, as normalised text (domain/environments), by the SHA-256 of it;
 *   `run_environments`: which of them the groups of an attempt had on a host, where there are several if packages changed.
 * - `actions`: the record of each action, with each run that it worked on; `action_files`: the files that it has made, to be
 *   found by their size and digest (null if it is not known).
 *
 * There are no comments between the statements: they are compared with those that SQLite keeps.
 */
export const initial = `CREATE TABLE datasets (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  definition TEXT,
  file TEXT NOT NULL,
  stamp TEXT NOT NULL,
  problem TEXT
) STRICT;

CREATE TABLE experiments (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  definition TEXT,
  file TEXT NOT NULL,
  stamp TEXT NOT NULL,
  problem TEXT
) STRICT;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  definition TEXT,
  compiled INTEGER,
  file TEXT NOT NULL,
  stamp TEXT NOT NULL,
  problem TEXT
) STRICT;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  experiment_id INTEGER NOT NULL REFERENCES experiments (id),
  token TEXT NOT NULL UNIQUE,
  site TEXT NOT NULL,
  runner TEXT NOT NULL,
  runner_parameters TEXT NOT NULL,
  commit_sha TEXT NOT NULL,
  dirty INTEGER NOT NULL,
  code_used TEXT,
  code_changed INTEGER,
  frozen TEXT,
  storage_path TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  rerun_of INTEGER,
  fill_of INTEGER,
  retired TEXT,
  launched INTEGER NOT NULL,
  started INTEGER,
  finished INTEGER,
  progress REAL,
  as_of INTEGER NOT NULL,
  host TEXT,
  slots INTEGER,
  has_no_worker INTEGER NOT NULL DEFAULT 0,
  groups_pending INTEGER NOT NULL,
  groups_running INTEGER NOT NULL DEFAULT 0,
  groups_held INTEGER NOT NULL DEFAULT 0,
  groups_finished INTEGER NOT NULL DEFAULT 0,
  groups_failed INTEGER NOT NULL DEFAULT 0,
  groups_cancelled INTEGER NOT NULL DEFAULT 0,
  groups_lost INTEGER NOT NULL DEFAULT 0,
  groups_awaiting INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0,
  live INTEGER AS (NOT deleted AND groups_pending + groups_running + groups_held + groups_awaiting > 0)
) STRICT;

CREATE INDEX runs_of_experiment ON runs (experiment_id, id);

CREATE INDEX live_runs ON runs (live) WHERE live;

CREATE TABLE launches (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  grid TEXT NOT NULL,
  definition TEXT NOT NULL
) STRICT;

CREATE TABLE attempts (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  groups TEXT,
  submit_template TEXT,
  resolved TEXT NOT NULL,
  launched INTEGER NOT NULL,
  launcher TEXT NOT NULL,
  complete INTEGER NOT NULL,
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
  reason TEXT,
  restarts INTEGER NOT NULL DEFAULT 0,
  awaiting INTEGER,
  attempt INTEGER NOT NULL DEFAULT 1,
  peak_memory INTEGER,
  cpu_time REAL,
  gpus TEXT,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX groups_by_state ON groups (run_id, state);

CREATE INDEX awaiting_groups ON groups (run_id) WHERE awaiting IS NOT NULL;

CREATE TABLE refreshes (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  cursor TEXT NOT NULL
) STRICT;

CREATE TABLE polls (
  site TEXT NOT NULL,
  runner TEXT NOT NULL,
  asked INTEGER NOT NULL,
  PRIMARY KEY (site, runner)
) STRICT, WITHOUT ROWID;

CREATE TABLE readings (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  restarts INTEGER NOT NULL,
  finished INTEGER,
  metrics TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE reading_warnings (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  warning TEXT NOT NULL,
  line INTEGER,
  PRIMARY KEY (run_id, number, warning)
) STRICT, WITHOUT ROWID;

CREATE TABLE read_sources (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  sources TEXT NOT NULL,
  best TEXT
) STRICT;

CREATE TABLE best_metrics (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_data (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_data_by_name ON run_data (name, run_id);

CREATE TABLE environments (
  hash TEXT PRIMARY KEY,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_environments (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  host TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES environments (hash),
  PRIMARY KEY (run_id, attempt, host, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE actions (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  started INTEGER NOT NULL,
  finished INTEGER,
  record TEXT NOT NULL,
  PRIMARY KEY (run_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE action_files (
  run_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  digest TEXT,
  PRIMARY KEY (run_id, id, path),
  FOREIGN KEY (run_id, id) REFERENCES actions (run_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX action_files_by_size ON action_files (size);
`
