import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeLimitSeconds, unknownTemplateKey } from '../../src/domain/job-environment.js'
import { testAny } from '../cases.js'
import { plainEnvironment } from '../runners/plans.js'

describe('a time limit', () => {
  test.each([
    ['90', 90 * 60],
    ['1:30', 90],
    ['02:00:00', 7200],
    ['1-00', 86_400],
    ['1-12:30', 86_400 + 12 * 3600 + 30 * 60],
  ])('of %s has %i seconds', (limit, seconds) => {
    expect(timeLimitSeconds(limit)).toBe(seconds)
  })

  const [days, hours, minutes, seconds] = [fc.nat(30), fc.nat(23), fc.nat(59), fc.integer({ min: 1, max: 59 })]
  testAny([days, hours, minutes, seconds])('has days, hours, minutes and seconds', (d, h, m, s) => {
    expect(timeLimitSeconds(`${d}-${h}:${m}:${s}`)).toBe(((d * 24 + h) * 60 + m) * 60 + s)
  })

  test('is none if it is 0, or in no form that Slurm reads', () => {
    for (const limit of ['0', '00:00:00', '', '2h', '1-2-3', '-5', '1:2:3:4', '1:', 'unlimited'])
      expect([limit, timeLimitSeconds(limit)]).toEqual([limit, null])
  })
})

describe('a refusal of an unknown key of a template', () => {
  test('names the key, the nearest one and all known keys', () => {
    const error = unknownTemplateKey('resource', plainEnvironment)
    expect(error.message).toBe("unknown key 'resource' in the submit template. Did you mean resources?")
    expect(error.hint).toBe(
      'the keys are resources, modules, after_modules, conda, venv, env, secrets, shell, setup, teardown, background, scratch, arguments, nice, launcher, max_parallel, pack',
    )
  })

  test("describes the runner's own keys in a few words", () => {
    const error = unknownTemplateKey('cpus', plainEnvironment, ['and the options of sbatch'])
    expect(error.message).toBe("unknown key 'cpus' in the submit template")
    expect(error.hint).toMatch(/, max_parallel, pack, and the options of sbatch$/)
  })
})
