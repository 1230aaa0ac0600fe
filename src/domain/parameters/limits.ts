/** The largest number of groups in one run. */
export const MAX_GROUPS = 100_000
