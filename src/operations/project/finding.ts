import { DamagedDatabaseError, QanatError } from '../../errors.js'

/** The result of one check. */
export interface Finding {
  readonly name: string
  /** Absent: missing, but not needed. */
  readonly state: 'ok' | 'warning' | 'error' | 'absent'
  readonly text: string
  /** What to type next. */
  readonly hint?: string | null
}

/** What an error says. @throws it if it is a fault of the program */
export function failure(name: string, error: unknown): Finding {
  if (!(error instanceof QanatError)) throw error
  const hint = error instanceof DamagedDatabaseError ? 'qanat doctor --repair' : error.hint
  return { name, state: 'error', text: error.message, hint }
}
