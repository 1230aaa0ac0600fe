import type { Finding } from '../operations/project/doctor.js'
import type { Rebuilt } from '../operations/project/rebuild-runs.js'
import type { Style } from './format/style.js'

/** What was found, a line for each check; below a warning or an error stands what to type next. */
export function findingsText({ colour }: Style, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const mark = {
    ok: colour.green('ok'),
    warning: colour.yellow('!!'),
    error: colour.red('✗ '),
    absent: colour.dim('--'),
  }
  const indent = ' '.repeat(width + 6)
  return findings
    .map(({ name, state, text, hint }) => {
      const lines = [...text.split('\n'), ...((state === 'warning' || state === 'error') && hint ? [`→ ${hint}`] : [])]
      return `${mark[state]}  ${name.padEnd(width)}  ${lines.join(`\n${indent}`)}`
    })
    .join('\n')
}

/** What was repaired, a line for each kind of repair. */
export function repairedText({
  aside,
  taken,
  deleted,
  moved,
  renewed,
}: { readonly aside: string | null } & Rebuilt): string {
  const lines = [
    aside === null
      ? ''
      : `The former database is in ${aside}; of what was registered there, the new one has what runs and .qanat/definitions tell`,
    taken.length > 0 ? `Put back: run ${taken.join(', ')}` : '',
    deleted.length > 0 ? `Put back into the trash: run ${deleted.join(', ')}` : '',
    moved.length > 0 ? `Found in another place: run ${moved.join(', ')}` : '',
    renewed.length > 0 ? `Wrote .run/run.yaml again: run ${renewed.join(', ')}` : '',
  ]
  return lines.filter(line => line !== '').join('\n') || 'There was nothing to repair'
}
