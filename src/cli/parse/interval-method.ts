import { type IntervalMethod, intervalText } from '../../domain/results/statistics.js'
import { isOneLetterOff } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'

/** Whether a word after `--ci` is its value, possibly misspelled; otherwise it is an experiment or a run. */
export function mayBeInterval(word: string): boolean {
  const [method = ''] = word.split(':')
  return method === 't' || method === 'bootstrap' || isOneLetterOff(method, 'bootstrap')
}

/** Reads the value of `--ci`: `t`, which is also meant without any, `bootstrap`, or with a seed `bootstrap:7`. */
export function intervalMethod(text: string | undefined): IntervalMethod | null {
  if (text === undefined) return null
  if (text === '' || text === 't') return { method: 't' }
  const match = intervalText.exec(text)
  if (match) return { method: 'bootstrap', seed: Number(match[1] ?? 0) }
  throw new UserError(
    `--ci: '${text}' is none of t, bootstrap, bootstrap:SEED`,
    'a seed is a whole number with at most nine digits',
  )
}
