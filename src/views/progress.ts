import { SingleBar } from 'cli-progress'
import type { GroupCounts } from '../domain/runs/run.js'
import { duration } from './format/times.js'

/** A bar that shows how many groups of a run are done; it appears after one second. */
export function progressBar(stream: NodeJS.WritableStream) {
  const started = performance.now()
  let bar: SingleBar | null = null
  return {
    update(counts: GroupCounts, total: number): void {
      const elapsed = performance.now() - started
      if (elapsed < 1000) return
      const done = counts.finished + counts.failed + counts.cancelled + counts.lost
      const failed = counts.failed > 0 ? ` · ${counts.failed} failed` : ''
      const left = done > 0 && done < total ? `, about ${duration((elapsed / done) * (total - done))} left` : ''
      const payload = { failed, elapsed: duration(elapsed), left }
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
