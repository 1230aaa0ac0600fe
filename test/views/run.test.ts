import { expect, test } from 'vitest'
import { efficiencyText } from '../../src/views/efficiency.js'
import { launchText } from '../../src/views/run.js'
import { plain } from './render/columns.js'
import { endedRun } from './sample-run.js'

test('a launch says in one parenthesis what is special about its code', () => {
  const launch = { groups: 2, again: false, submitTemplate: null, submission: '' }
  const first = (dirty: boolean, frozen: string | null, submission = '') =>
    launchText({ ...endedRun, commit: 'c0ffee0123', dirty, frozen }, { ...launch, submission }, true)
      .split('\n')[0]!
      .replace(/^Run .* · commit (.*?)( · .*)?$/, '$1')
  expect(first(false, null)).toBe('c0ffee0')
  expect(first(true, null)).toBe('c0ffee0 (with uncommitted changes)')
  expect(first(true, '.qanat/cache/c0')).toBe('c0ffee0 (with uncommitted changes, frozen)')
  expect(first(false, '.qanat/cache/c0', 'job 12')).toBe('c0ffee0 (frozen in .qanat/cache/c0)')
})

test('a use of resources that is not known says whether it may still become known', () => {
  const none = { pending: 0, running: 0, held: 0, finished: 0, failed: 0, cancelled: 0, lost: 0 }
  const why = (counts: object) =>
    efficiencyText(plain, { ...endedRun, counts: { ...none, ...counts } }, []).split(': ')[1]
  expect(why({ failed: 2 })).toBe('none has finished')
  expect(why({ failed: 1, running: 1 })).toBe('none has finished yet')
  expect(why({ failed: 1, finished: 1 })).toBe('nothing was recorded')
})
