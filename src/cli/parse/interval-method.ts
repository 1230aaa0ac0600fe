import type { IntervalMethod } from '../../domain/results/statistics.js'
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
  const [, seed = '0'] = /^bootstrap(?::(\d{1,10}))?$/.exec(text) ?? [null, '']
  if (seed !== '' && Number(seed) < 2 ** 32) return { method: 'bootstrap', seed: Number(seed) }
  throw new UserError(`--ci: '${text}' is none of t, bootstrap, bootstrap:SEED`, 'a seed is a whole number below 2^32')
}
