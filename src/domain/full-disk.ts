/** What to do about an error of a file system elsewhere, as its programs tell it; null if it has room. */
export function adviceForRoom(reason: string): string | null {
  return /no space|quota/i.test(reason)
    ? 'make room there: qanat run_delete, qanat trash empty, qanat cache clean'
    : null
}
