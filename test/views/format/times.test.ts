import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { age, clockTime, duration, moment } from '../../../src/views/format/times.js'
import { testAny } from '../../cases.js'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

describe('a moment', () => {
  const time = new Date(2026, 10, 21, 4, 2, 9, 999).getTime()

  test('is shown in local time, and empty if there is none', () => {
    expect([moment(time), moment(time, true), clockTime(time)]).toEqual([
      ...['2026-11-21 04:02', '2026-11-21 04:02:09', '04:02:09'],
    ])
    expect([moment(null), moment(null, true)]).toEqual(['', ''])
  })

  test('can be read back to the second', () => {
    const times = fc.date({ min: new Date(2000, 0, 1), max: new Date(2100, 0, 1), noInvalidDate: true })
    fc.assert(
      fc.property(times, date => {
        const shown = moment(date.getTime(), true)
        const read = new Date(shown.replace(' ', 'T'))
        // An hour that comes twice, when summer ends, reads as its first.
        expect((date.getTime() - read.getTime()) % hour).toBe(date.getMilliseconds())
        expect(moment(read.getTime(), true)).toBe(shown)
      }),
    )
  })
})

describe('a duration', () => {
  test.each([
    [null, ''],
    [0, '0.0 s'],
    [17_249, '17.2 s'],
    [17_250, '17.3 s'],
    [59_999, '59.9 s'],
    [minute, '00:01:00'],
    [day - 1, '23:59:59'],
    [day, '1-00:00:00'],
    [2 * day + 3 * hour + 4 * minute + 5 * second, '2-03:04:05'],
  ])('of %j ms is %j', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text)
  })

  testAny([fc.integer({ min: minute, max: 1000 * day })])('can be read back to the second', milliseconds => {
    const [days, clock] = `0-${duration(milliseconds)}`.split('-').slice(-2)
    const [hours, minutes, seconds] = clock!.split(':').map(Number)
    const read = Number(days) * day + hours! * hour + minutes! * minute + seconds! * second
    expect(read).toBe(milliseconds - (milliseconds % second))
    expect([hours! < 24, minutes! < 60, seconds! < 60]).toEqual([true, true, true])
  })
})

describe('an age', () => {
  test.each([
    // The clocks of two machines differ.
    [-5 * second, '0 s'],
    [23_400, '23 s'],
    [119 * second, '119 s'],
    [2 * minute, '2 min'],
    [119 * minute, '119 min'],
    [2 * hour, '2 h'],
    [47 * hour, '47 h'],
    [2 * day, '2 d'],
  ])('of %j ms is %j', (milliseconds, text) => {
    expect(age(milliseconds)).toBe(text)
  })
})
