/** Stores what groups have used: the peak of their memory in bytes, and their CPU time in seconds; null if it is not known. */
export const usage = `
ALTER TABLE groups ADD COLUMN peak_memory INTEGER;
ALTER TABLE groups ADD COLUMN cpu_time REAL;
`
