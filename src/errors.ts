/** Exit codes of every command; other programs rely on them. */
export const ExitCode = {
  failed: 1,
  usage: 2,
  notAProject: 3,
  scheduler: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/**
 * A failure that is explained to the user: what, why, and what to type next.
 * Anything else that is thrown is a bug in Qanat and shown as one.
 */
export class QanatError extends Error {
  /** What kind of failure it is, for programs; `bug` for one in Qanat itself. */
  readonly kind: string = 'bug'
  readonly code: ExitCode
  readonly hint: string | null

  constructor(message: string, code: ExitCode, hint?: string | null) {
    super(message)
    this.name = new.target.name
    this.code = code
    this.hint = hint ?? null
  }
}

/** Wrong usage or bad input (exit 2). */
export class UserError extends QanatError {
  override readonly kind = 'usage'

  constructor(message: string, hint?: string | null) {
    super(message, ExitCode.usage, hint)
  }
}

/** The operation itself failed, through no fault of the input (exit 1). */
export class OperationError extends QanatError {
  override readonly kind: string = 'operation'

  constructor(message: string, hint?: string | null) {
    super(message, ExitCode.failed, hint)
  }
}

/** The project's database failed, which affects every run. */
export class DatabaseError extends OperationError {
  override readonly kind: string = 'database'
}

/** Another command is using the project's database. */
export class BusyError extends DatabaseError {
  override readonly kind: string = 'busy'
}

/** The project's database can be read, but not written, perhaps for lack of space. */
export class UnwritableDatabaseError extends DatabaseError {}

/** The same, whatever space there is. */
export class ReadOnlyDatabaseError extends UnwritableDatabaseError {
  override readonly kind: string = 'read_only'

  constructor(path: string) {
    super(
      `${path} cannot be written`,
      'check the permissions of the folder .qanat, and whether its file system is read-only',
    )
  }
}

/** The project's database is damaged. */
export class DamagedDatabaseError extends DatabaseError {
  override readonly kind = 'damaged'

  constructor(message: string) {
    super(
      message,
      "'qanat doctor' says what is wrong, 'qanat doctor --repair' rebuilds it from the folders of the runs",
    )
  }
}

/** No project here or above (exit 3). */
export class NotAProjectError extends QanatError {
  override readonly kind = 'not_a_project'

  constructor(
    message = 'not a Qanat project (no .qanat here or above)',
    hint = 'qanat init        starts one in this folder',
  ) {
    super(message, ExitCode.notAProject, hint)
  }
}

/** The scheduler, or the machine of a context, is missing, does not answer or refuses (exit 4). */
export class SchedulerError extends QanatError {
  override readonly kind = 'scheduler'

  constructor(message: string, hint?: string | null) {
    super(message, ExitCode.scheduler, hint)
  }
}

/** Ctrl-C, also at a prompt (exit 130). */
export class InterruptedError extends QanatError {
  override readonly kind = 'interrupted'

  constructor(message = 'interrupted', hint?: string | null) {
    super(message, ExitCode.interrupted, hint)
  }
}

/** What `work` returns, or `otherwise` where it fails for a reason that is explained to the user. @param kind of such failures */
export function orElse<Result, Other>(
  work: () => Result,
  otherwise: Other,
  kind: typeof QanatError | typeof UserError = UserError,
): Result | Other {
  try {
    return work()
  } catch (error) {
    if (error instanceof kind) return otherwise
    throw error
  }
}
