import type { ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BusyError, QanatError } from '../errors.js'
import { openRuns, refreshRuns } from '../operations/refresh/refresh-runs.js'
import type { Workspace } from '../operations/workspace.js'
import { explainDatabase } from '../store/database.js'

/** Milliseconds between two polls, as `experiment status --live` has them. */
const interval = 1000

/**
 * Refreshes the runs that may change, once a second while pages are open, and tells the pages when something in the
 * database has changed. Schedulers are polled no more often than by all commands together.
 */
export class Watch {
  private readonly pages = new Set<ServerResponse>()
  private isPolling = false
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
    if (!this.isPolling) void this.keepPolling()
  }

  private async keepPolling(): Promise<void> {
    this.isPolling = true
    while (this.pages.size > 0 && !this.stop.aborted) {
      await this.pollOnce()
      await sleep(interval, undefined, { signal: this.stop }).catch(() => {})
    }
    this.isPolling = false
  }

  private async pollOnce(): Promise<void> {
    const { workspace, stop } = this
    const { problem, version } = await poll(workspace)
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

interface Polled {
  /** What went wrong, on one line; empty if nothing did. */
  readonly problem: string
  /** Of the database; null if it could not be read. */
  readonly version: string | null
}

/** Refreshes the runs that may change. A database that is only locked for now is no problem. */
async function poll(workspace: Workspace): Promise<Polled> {
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
