/** Documents and their dependencies on experiments. */
export const documents = `
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  path TEXT NOT NULL,
  compile_script TEXT NOT NULL,
  compile_script_command TEXT NOT NULL,
  view_script TEXT NOT NULL,
  view_script_command TEXT NOT NULL,
  tags TEXT NOT NULL,
  compiled INTEGER
) STRICT;

CREATE TABLE document_dependencies (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL REFERENCES experiments (id),
  definition TEXT NOT NULL,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;
`
