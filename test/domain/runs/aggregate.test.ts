import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsOfNew, isOver, runStatus, totalOf } from '../../../src/domain/runs/aggregate.js'
import { type GroupState, groupStates, hasEnded } from '../../../src/domain/runs/run.js'
import { testAny } from '../../cases.js'

function countsOf(states: readonly string[]) {
  const counts = { ...countsOfNew(0) }
  for (const state of states) counts[state as GroupState]++
  return counts
}

const someStates = fc.array(fc.constantFrom(...groupStates), { minLength: 1, maxLength: 20 })

describe('the status of a run', () => {
  test.each([
    ['running', 'running held pending failed lost cancelled finished'],
    ['running', 'pending held finished'],
    ['running', 'pending failed'],
    ['running', 'pending lost'],
    ['running', 'pending cancelled'],
    ['pending', 'pending held'],
    ['held', 'held failed lost cancelled finished'],
    ['failed', 'failed lost cancelled finished'],
    ['lost', 'lost cancelled finished'],
    ['cancelled', 'cancelled finished'],
    ['finished', 'finished'],
  ])('is %s with groups that are %s', (status, states) => {
    expect(runStatus(countsOf(states.split(' ')))).toBe(status)
  })

  testAny([someStates])('is final exactly when every group has ended, and counts add up', states => {
    const counts = countsOf(states)
    expect(isOver(counts)).toBe(states.every(hasEnded))
    expect(hasEnded(runStatus(counts))).toBe(states.every(hasEnded))
    expect(totalOf(counts)).toBe(states.length)
  })
})

test('a new run has all groups pending', () => {
  expect(runStatus(countsOfNew(12))).toBe('pending')
  expect(countsOfNew(12).pending).toBe(12)
})
