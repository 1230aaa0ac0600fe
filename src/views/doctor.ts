import type { Style } from './format/style.js'

interface Finding {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'error' | 'absent'
  readonly text: string
  readonly hint?: string | null
}

/** What was found, a check a line, with what to type next below those that are not well. */
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

interface Repaired {
  readonly aside: string | null
  readonly taken: readonly number[]
  readonly moved: readonly number[]
  readonly renewed: readonly number[]
}

/** What was repaired; empty where nothing was. */
export function repairedText({ aside, taken, moved, renewed }: Repaired): string {
  const lines = [
    aside === null
      ? ''
      : `The former database is in ${aside}; of what was registered there, the new one has what runs and .qanat/definitions tell`,
    taken.length > 0 ? `Put back: run ${taken.join(', ')}` : '',
    moved.length > 0 ? `Found in another place: run ${moved.join(', ')}` : '',
    renewed.length > 0 ? `Wrote .run/run.yaml again: run ${renewed.join(', ')}` : '',
  ]
  return lines.filter(line => line !== '').join('\n') || 'There was nothing to repair'
}
