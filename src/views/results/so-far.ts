import { type Metrics, numberOf } from '../../domain/results/metrics.js'
import { valueText } from '../../domain/results/number-text.js'

/** From the smallest to the largest of numbers that grow, with the mark of these: `0.81 …`, `0.79 to 0.81 …`. */
export function soFarText(numbers: readonly number[]): string {
  const ends = new Set([Math.min(...numbers), Math.max(...numbers)].map(number => valueText(number)))
  return `${[...ends].join(' to ')} …`
}

/** What a group that runs has left so far of a metric, with the mark; empty for nothing. */
export function soFarIn({ soFar }: { readonly soFar?: Metrics }, name: string): string {
  const metric = soFar && Object.hasOwn(soFar, name) ? soFar[name] : undefined
  const number = numberOf(metric)
  if (number !== null) return soFarText([number])
  return metric === undefined ? '' : `${metric} …`
}
