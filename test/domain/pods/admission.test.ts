import { describe, expect, test } from 'vitest'
import {
  admissionOf,
  admittedLimits,
  freeAdmission,
  jobQuotaText,
  quotaText,
} from '../../../src/domain/pods/admission.js'

type Amounts = Readonly<Record<string, string>>

const quota = (name: string, hard: Amounts, used: Amounts = {}) =>
  ({ kind: 'ResourceQuota', metadata: { name }, status: { hard, used } }) as const

const range = (given: { default?: Amounts; defaultRequest?: Amounts }, type = 'Container') =>
  ({ kind: 'LimitRange', spec: { limits: [{ type, ...given }] } }) as const

test.each([
  ['no quota', [], Number.POSITIVE_INFINITY],
  ['a quota on other things', [quota('q', { pods: '3' })], Number.POSITIVE_INFINITY],
  ['a quota that was not counted yet', [quota('q', { 'count/jobs.batch': '2' })], 2],
  [
    'two quotas',
    [quota('a', { 'count/jobs.batch': '5k' }), quota('b', { 'count/jobs.batch': '10' }, { 'count/jobs.batch': '7' })],
    3,
  ],
  ['a quota that was lowered', [quota('q', { 'count/jobs.batch': '1' }, { 'count/jobs.batch': '3' })], -2],
])('how many jobs there may be with %s', (_, objects, expected) => {
  expect(admissionOf(objects).jobs).toBe(expected)
})

const all = quota('q', { cpu: '9', 'limits.cpu': '9', memory: '9Gi', 'limits.memory': '9Gi' })
const memory = { memory: '4Gi' }

describe('the limits of a pod', () => {
  test.each([
    ['without a quota', [], { cpu: '2', ...memory }, memory],
    ['with a quota on requests', [quota('q', { cpu: '9', 'requests.memory': '9Gi' })], { cpu: '2', ...memory }, memory],
    ['with a quota on limits', [all], { cpu: '2', ...memory }, { cpu: '2', ...memory }],
    ['that the namespace gives', [all, range({ default: { cpu: '4' } })], { cpu: '2', ...memory }, memory],
    [
      'larger than the namespace gives',
      [range({ default: { cpu: '500m' } })],
      { cpu: '2', ...memory },
      { cpu: '2', ...memory },
    ],
    ['of pods, not of containers', [range({ default: { cpu: '500m' } }, 'Pod')], { cpu: '2', ...memory }, memory],
    ['that asks for nothing', [quota('q', { pods: '3', 'requests.ephemeral-storage': '1Gi' })], {}, {}],
    ['that asks for nothing, and gets it', [all, range({ default: { cpu: '1', memory: '1Gi' } })], {}, {}],
  ])('%s', (_, objects, requests: Amounts, expected: Amounts) => {
    const { memory } = requests
    const limits: Amounts = memory === undefined ? {} : { memory }
    expect(admittedLimits({ requests, limits }, admissionOf(objects))).toEqual(expected)
  })

  test.each([
    [[quota('q', { 'limits.cpu': '9' })], memory, 'the quota q of the namespace demands limits.cpu of each pod'],
    [[quota('q', { cpu: '9' })], memory, 'the quota q of the namespace demands requests.cpu of each pod'],
    [
      [quota('q', { cpu: '9', 'limits.cpu': '9' }), range({ defaultRequest: { cpu: '1' } })],
      memory,
      'demands limits.cpu',
    ],
    [[all], { cpu: '1' }, 'the quota q of the namespace demands limits.memory of each pod'],
  ])('that a quota demands, and a template does not say: %j', (objects, requests: Amounts, expected) => {
    expect(() => admittedLimits({ requests, limits: {} }, admissionOf(objects))).toThrow(expected)
  })

  test('nothing is demanded where nobody tells', () => {
    expect(admittedLimits({ requests: {}, limits: {} }, freeAdmission)).toEqual({})
  })
})

test('the words of a server that has no room for a job name the quota and its numbers', () => {
  const refusal = (counted: string) =>
    `Error from server (Forbidden): error when creating "x": jobs.batch "a" is forbidden: exceeded quota: q, requested: ${counted}=1, used: ${counted}=2, limited: ${counted}=2`
  expect(jobQuotaText(refusal('count/jobs.batch'))).toBe('the quota q has 2 of 2 jobs (count/jobs.batch)')
  expect(jobQuotaText(refusal('pods'))).toBe(null)
})

test.each([
  [
    { pods: '10', 'limits.cpu': '4' },
    { pods: '3', 'limits.cpu': '4000m' },
    'q: pods 3 of 10, limits.cpu 4000m of 4',
    ['limits.cpu'],
  ],
  [{ 'requests.memory': '1Gi' }, {}, 'q: requests.memory 0 of 1Gi', []],
  [{ pods: '0' }, { pods: '0' }, 'q: pods 0 of 0', ['pods']],
  [{ pods: '1' }, { pods: '3' }, 'q: pods 3 of 1', ['pods']],
])('a quota %j of which %j is used, in words', (hard: Amounts, used: Amounts, text, full) => {
  expect(quotaText(quota('q', hard, used))).toEqual({ text, full })
})
