import type { ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BusyError, QanatError } from '../errors.js'
import { openRuns, refreshRuns } from '../operations/refresh/refresh-runs.js'
import type { Workspace } from '../operations/workspace.js'
import { explainDatabase } from '../store/database.js'

/** Milliseconds between two looks, as `experiment status --live` has them. */
const interval = 1000

/**
 * Refreshes the runs that may change, once a second while pages are open, and tells the pages when something in the
 * database has changed. Schedulers are polled no more often than by all commands together.
 */
export class Watch {
  private readonly pages = new Set<ServerResponse>()
  private isLooking = false
  private version = ''
  private problem = ''

  constructor(
    private readonly workspace: Workspace,
    private readonly stop: AbortSignal,
  ) {}

  /** Tells a page of changes from now on, as server-sent events. */
  add(page: ServerResponse): void {
    page.writeHead(200, { 'Content-Type': 'text/event-stream' })
    page.write(`event: project\ndata: ${onOneLine(basename(this.workspace.project.root))}\n\n`)
    page.write(`event: problem\ndata: ${this.problem}\n\n`)
    this.pages.add(page)
    page.on('close', () => this.pages.delete(page))
    if (!this.isLooking) void this.keepLooking()
  }

  private async keepLooking(): Promise<void> {
    this.isLooking = true
    while (this.pages.size > 0 && !this.stop.aborted) {
      await this.lookOnce()
      await sleep(interval, undefined, { signal: this.stop }).catch(() => {})
    }
    this.isLooking = false
  }

  private async lookOnce(): Promise<void> {
    const { workspace, stop } = this
    const { problem, version } = await look(workspace)
    if (stop.aborted) return
    if (problem !== this.problem) {
      this.tell('problem', problem)
      if (problem !== '') workspace.warn(problem)
    }
    this.problem = problem
    if (version !== null && version !== this.version) this.tell('change', version)
    this.version = version ?? this.version
  }

  private tell(event: string, data: string): void {
    for (const page of this.pages) page.write(`event: ${event}\ndata: ${data}\n\n`)
  }
}

/** What a look has found. */
interface Looked {
  /** What went wrong, on one line; empty if nothing did. */
  readonly problem: string
  /** Of the database; null if it could not be read. */
  readonly version: string | null
}

/** Refreshes the runs that may change. A database that is only locked for now is no problem. */
async function look(workspace: Workspace): Promise<Looked> {
  const problems: string[] = []
  const quiet = { ...workspace, warn: (message: string) => void problems.push(message) }
  let version: string | null = null
  try {
    workspace.store.refuseOther()
    await refreshRuns(quiet, openRuns(quiet))
    version = workspace.store.version()
  } catch (thrown) {
    const error = explainDatabase(thrown)
    const hint = error instanceof QanatError && error.hint !== null ? `: ${error.hint}` : ''
    if (!(error instanceof BusyError)) problems.push(`${(error as Error).message}${hint}`)
  }
  return { problem: onOneLine(problems.join('; ')), version }
}

/** An event ends with its line. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}
