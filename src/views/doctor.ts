import type { Repaired } from '../operations/project/doctor.js'
import type { Finding } from '../operations/project/finding.js'
import type { Style } from './format/style.js'

/** One line for each check; below a warning or an error, what to type next. */
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
      const hints = (state === 'warning' || state === 'error') && hint ? `→ ${hint}`.split('\n') : []
      const lines = [...text.split('\n'), ...hints.map((line, at) => (at === 0 ? line : `  ${line}`))]
      return `${mark[state]}  ${name.padEnd(width)}  ${lines.join(`\n${indent}`)}`
    })
    .join('\n')
}

/** One line for each kind of repair. */
export function repairedText({ aside, taken, deleted, moved, renewed }: Repaired): string {
  const lines = [
    aside === null
      ? ''
      : `The former database was moved to ${aside}; the new one was filled from .qanat/definitions and the folders of the runs`,
    taken.length > 0 ? `Added to the database: run ${taken.join(', ')}` : '',
    deleted.length > 0 ? `Added to the trash: run ${deleted.join(', ')}` : '',
    moved.length > 0 ? `Found in another folder: run ${moved.join(', ')}` : '',
    renewed.length > 0 ? `Wrote .run/run.yaml again: run ${renewed.join(', ')}` : '',
  ]
  return (
    lines.filter(line => line !== '').join('\n') ||
    'There was nothing to repair but metrics, which are read again when they are asked for'
  )
}
