import { expect, test, vi } from 'vitest'
import { progressLine } from '../../src/views/format/progress-line.js'

function written(isTTY: boolean, work: (show: (text: string | null) => void) => void): string {
  let text = ''
  const stream = { isTTY, columns: 20, write: (part: string) => (text += part) }
  work(progressLine(stream as unknown as NodeJS.WriteStream))
  return text
}

test('a line of progress is replaced on a terminal, whose width it keeps, and taken away', () => {
  const line = '\r\x1b[2K'
  const text = written(true, show => ['1 of 9', 'x'.repeat(30), null].forEach(show))
  expect(text).toBe(`${line}1 of 9${line}${'x'.repeat(19)}${line}`)
})

test('elsewhere it is written once, and only if the work takes long', () => {
  vi.useFakeTimers()
  const text = written(false, show => {
    for (const part of ['1 of 9', '2 of 9', '3 of 9', null]) {
      show(part)
      vi.advanceTimersByTime(3_000)
    }
  })
  vi.useRealTimers()
  expect(text).toBe('3 of 9\n')
})
