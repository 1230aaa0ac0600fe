import { SingleBar } from 'cli-progress'
import type { GroupCounts } from '../domain/runs/run.js'
import { duration, leftText } from './format/times.js'

/** A bar that shows how many groups of a run are done; it appears one second after the launch. */
export function progressBar(stream: NodeJS.WritableStream) {
  let bar: SingleBar | null = null
  return {
    /** @param elapsed milliseconds since the launch. @param left milliseconds to the end; null if not known */
    update(counts: GroupCounts, total: number, elapsed: number, left: number | null): void {
      const done = counts.finished + counts.failed + counts.cancelled + counts.lost
      if (bar === null && (elapsed < 1000 || done === total)) return
      const failed = counts.failed > 0 ? ` · ${counts.failed} failed` : ''
      const payload = { failed, elapsed: duration(elapsed), left: left === null ? '' : `, ${leftText(left)}` }
      if (bar === null) {
        bar = new SingleBar({
          stream,
          format: ' {bar}  {value}/{total}{failed} · {elapsed}{left}',
          barCompleteChar: '━',
          barIncompleteChar: '─',
          hideCursor: true,
          clearOnComplete: true,
          linewrap: true,
        })
        bar.start(total, done, payload)
      } else bar.update(done, payload)
    },
    stop(): void {
      bar?.stop()
    },
  }
}
