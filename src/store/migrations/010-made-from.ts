/**
 * Stores what runs were made from.
 *
 * - `runs.code_used`: the hash of the code that a run uses (64 lowercase hexadecimal digits); null for runs of before.
 */
export const madeFrom = `
ALTER TABLE runs ADD COLUMN code_used TEXT;
`
