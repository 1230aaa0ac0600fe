import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { notSpeaking, type SpeakingRun } from '../../../src/domain/results/comparison/speaking.js'
import { testAny } from '../../cases.js'

/** A run as a text, a word for each group: `a!` has the parameter a, and has finished. */
function run(id: number, rank: number, text: string): SpeakingRun {
  const words = text.split(' ')
  return {
    ...{ id, rank, groups: words.length },
    columns: [{ name: '--x', stride: 1, values: words.map(word => word.replace('!', '')) }],
    hasFinished: index => words[index]!.endsWith('!'),
  }
}

/** The groups that speak, as `4.0 7.1`. */
function speaking(runs: readonly SpeakingRun[]): string {
  const left = notSpeaking(runs)
  const ids = runs.flatMap(({ id, groups }) =>
    Array.from({ length: groups }, (_, index) => (left.get(id)?.has(index) ? [] : [`${id}.${index}`])).flat(),
  )
  return ids.join(' ')
}

describe('which group speaks for a cell', () => {
  test.each([
    ['each for its own', '4.0 4.1 7.0', [run(4, 4, 'a! b'), run(7, 7, 'c!')]],
    ['the newest', '7.0 7.1', [run(4, 4, 'a! b!'), run(7, 7, 'a! b!')]],
    ['the newest that has finished', '4.1 7.0', [run(4, 4, 'a b!'), run(7, 7, 'a! b')]],
    ['the newest if none has finished', '7.0', [run(4, 4, 'a'), run(7, 7, 'a')]],
    ['the last of equal ones in a run', '4.1 4.2', [run(4, 4, 'a! a! b!')]],
    ['not a rerun of what has finished', '4.0', [run(4, 4, 'a!'), run(7, 4, 'a!')]],
    ['a rerun where its run has not finished', '4.1 7.0', [run(4, 4, 'a b!'), run(7, 4, 'a! b!')]],
    ['the last rerun if none has finished', '9.0', [run(4, 4, 'a'), run(7, 4, 'a'), run(9, 4, 'a')]],
    ['not a late rerun of an old run', '5.0', [run(4, 4, 'a!'), run(5, 5, 'a!'), run(9, 4, 'a!')]],
    ['the words of a number', '4.0 5.0', [run(4, 4, '0.1!'), run(5, 5, '1e-1!')]],
  ])('%s: %s', (_, expected, runs) => {
    expect(speaking(runs)).toBe(expected)
  })

  const group = fc.constantFrom('a', 'a!', 'b', 'b!', 'c!')
  const facts = fc.record({
    rank: fc.integer({ min: 1, max: 9 }),
    groups: fc.array(group, { minLength: 1, maxLength: 4 }),
  })
  testAny([fc.array(facts)])('each cell has one, which has finished if any has', all => {
    const runs = all.map(({ rank, groups }, at) => run(10 + at, rank, groups.join(' ')))
    const cellOf = (each: SpeakingRun, index: number) => String(each.columns[0]!.values[index])
    const cells = new Map<string, boolean>()
    for (const each of runs) {
      for (let index = 0; index < each.groups; index++) {
        const cell = cellOf(each, index)
        cells.set(cell, cells.get(cell) === true || each.hasFinished(index))
      }
    }
    const spoken = speaking(runs)
      .split(' ')
      .filter(Boolean)
      .map(id => {
        const [of, index] = id.split('.').map(Number)
        const each = runs.find(({ id: known }) => known === of)!
        return [cellOf(each, index!), each.hasFinished(index!)] as const
      })
    expect(spoken).toHaveLength(cells.size)
    expect(new Map(spoken)).toEqual(cells)
  })
})
