import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readKeys } from '../../../src/cli/explore/keys.js'
import { testAny } from '../../cases.js'

test.each<[string, readonly string[]]>([
  ['aé日🙂', ['a', 'é', '日', '🙂']],
  ['\x1b[A\x1b[B\x1bOC\x1b[D', ['up', 'down', 'right', 'left']],
  ['\x1b[H\x1b[4~\x1b[5~\x1b[6~\x1b[Z\t', ['home', 'end', 'pageup', 'pagedown', 'backtab', 'tab']],
  ['\r\n\x7f\b', ['enter', 'enter', 'backspace', 'backspace']],
  ['\x03\x1a\x15\x17', ['ctrl-c', 'ctrl-z', 'ctrl-u', 'ctrl-w']],
  // With Shift, and keys without a meaning here.
  ['\x1b[1;2Ax\x1b[15~y\x1bOPz', ['up', 'x', 'y', 'z']],
  ['\x1bq', ['escape', 'q']],
  ['\x1b\x1b[A', ['escape', 'up']],
])('%j is read as %j', (text, keys) => {
  expect(readKeys(text, false)).toEqual({ keys, rest: '' })
})

test.each(['\x1b', '\x1b[', '\x1bO', '\x1b[1;'])('%j waits for its end, and is Escape if nothing comes', text => {
  expect(readKeys(text, false)).toEqual({ keys: [], rest: text })
  expect(readKeys(text, true).keys.slice(0, 1)).toEqual(['escape'])
})

const pieces = fc.constantFrom('a', '日', '\x1b[A', '\x1b[6~', '\x1bOB', '\r', '\x03', '1')
testAny([fc.array(pieces, { maxLength: 12 }), fc.nat(40)])(
  'a burst is read the same wherever it is divided',
  (typed, place) => {
    const text = typed.join('')
    const at = Math.min(place, text.length)
    const first = readKeys(text.slice(0, at), false)
    const second = readKeys(first.rest + text.slice(at), false)
    expect([...first.keys, ...second.keys]).toEqual(readKeys(text, false).keys)
  },
)
