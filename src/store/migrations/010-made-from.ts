/**
 * Stores what runs were made from.
 *
 * - `datasets.fingerprint`: how much of a dataset is looked at when a run is launched.
 * - `run_data`: what each run read, a row a dataset, in the order of the experiment's datasets. `fingerprint` is the JSON of
 *   a `Fingerprint` (src/domain/data); the files are listed below `.qanat/data/`.
 * - `runs.code_used`: the hash of the code that a run uses (64 lowercase hexadecimal digits); null for runs of before.
 * - `environments`: the environments in which groups ran, as normalised text (see domain/environments), by the SHA-256 of it.
 * - `run_environments`: which of them the groups of an attempt had on a host.
 * - `actions`: the record of each action, with each run that it worked on; `action_files`: the files that it has made, to be
 *   found by their size (bytes) and digest (null if it is not known).
 */
export const madeFrom = `
ALTER TABLE datasets ADD COLUMN fingerprint TEXT NOT NULL DEFAULT 'stat';
CREATE TABLE run_data (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_data_by_name ON run_data (name, run_id);
ALTER TABLE runs ADD COLUMN code_used TEXT;

CREATE TABLE environments (
  hash TEXT PRIMARY KEY,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_environments (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  host TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES environments (hash),
  PRIMARY KEY (run_id, attempt, host)
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
