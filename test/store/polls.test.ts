import { expect, test } from 'vitest'
import { newStore } from './stores.js'

test('within some time one program polls a scheduler of a site, also after the clock was set back', () => {
  const { store } = newStore()
  const claims: [runner: string, now: number, isClaimed: boolean][] = [
    ['slurm', 10_000, true],
    ['slurm', 10_999, false],
    ['htcondor', 10_999, true],
    ['slurm', 11_000, true],
    ['slurm', 11_001, false],
    ['slurm', 5000, true],
    ['slurm', 5001, false],
  ]
  for (const [runner, now, isClaimed] of claims) {
    expect(store.transaction(() => store.polls.claim('here', runner, now, 1000))).toBe(isClaimed)
  }
  expect(store.transaction(() => store.polls.claim('elsewhere', 'slurm', 5001, 1000))).toBe(true)
})
