/** More groups than this in one run are refused. */
export const MAX_GROUPS = 100_000
