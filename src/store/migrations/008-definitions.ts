/** Stores the file from which a thing was registered, relative to the project; null if it is none of its files. */
export const definitions = `
ALTER TABLE datasets ADD COLUMN definition_file TEXT;
ALTER TABLE experiments ADD COLUMN definition_file TEXT;
ALTER TABLE documents ADD COLUMN definition_file TEXT;
`
