import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOfNew, isOver, runStatus, totalOf } from '../../../src/domain/runs/aggregate.js'
import { type GroupCounts, type GroupState, groupStates, hasEnded } from '../../../src/domain/runs/run.js'

function countsOf(states: readonly GroupState[]): GroupCounts {
  const counts = { ...countsOfNew(0) }
  for (const state of states) counts[state]++
  return counts
}

const someStates = fc.array(fc.constantFrom(...groupStates), { minLength: 1, maxLength: 20 })

describe('the status of a run', () => {
  test.each<[GroupState, GroupState[]]>([
    ['running', ['running', 'held', 'pending', 'failed', 'lost', 'cancelled', 'finished']],
    ['running', ['pending', 'held', 'finished']],
    ['running', ['pending', 'failed']],
    ['running', ['pending', 'lost']],
    ['running', ['pending', 'cancelled']],
    ['pending', ['pending', 'held']],
    ['held', ['held', 'failed', 'lost', 'cancelled', 'finished']],
    ['failed', ['failed', 'lost', 'cancelled', 'finished']],
    ['lost', ['lost', 'cancelled', 'finished']],
    ['cancelled', ['cancelled', 'finished']],
    ['finished', ['finished']],
  ])('is %s with groups that are %j', (status, states) => {
    expect(runStatus(countsOf(states))).toBe(status)
  })

  test('is the state of at least one of its groups, or running if some have ended', () => {
    fc.assert(
      fc.property(someStates, states => {
        const begun = states.includes('pending') && states.some(hasEnded) ? ['running'] : []
        expect([...states, ...begun]).toContain(runStatus(countsOf(states)))
      }),
    )
  })

  test('is final exactly when every group has ended', () => {
    fc.assert(
      fc.property(someStates, states => {
        expect(isOver(countsOf(states))).toBe(states.every(hasEnded))
        expect(hasEnded(runStatus(countsOf(states)))).toBe(states.every(hasEnded))
      }),
    )
  })
})

describe('counts', () => {
  test('add up to the number of groups', () => {
    fc.assert(
      fc.property(someStates, states => {
        expect(totalOf(countsOf(states))).toBe(states.length)
      }),
    )
  })

  test('of a new run have all groups pending', () => {
    expect(runStatus(countsOfNew(12))).toBe('pending')
    expect(totalOf(countsOfNew(12))).toBe(12)
    expect(countsOfNew(12).pending).toBe(12)
  })
})
