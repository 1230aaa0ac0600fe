import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { journalsSince } from '../../../src/runfolder/evidence/group-journals.js'
import { folderWith } from '../../project/temporary.js'

afterEach(() => void vi.useRealTimers())

test.each([-3600, 0, 3600])(
  'new journals are found, and none is looked for twice, on a disk whose clock is %i s off',
  off => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const run = folderWith({ '.run/records/0': '' })
    const records = join(run, '.run/records')
    const touch = () => utimesSync(records, Date.now() / 1000 + off, Date.now() / 1000 + off)
    const indices = (found: ReturnType<typeof journalsSince>) => found.owners?.map(({ index }) => index).sort() ?? null
    touch()
    const first = journalsSince(run, null)
    expect(indices(first)).toEqual([0])
    // A journal in the same tick of the disk's clock.
    writeFileSync(join(records, '1'), '')
    utimesSync(records, Date.now() / 1000 + off, Date.now() / 1000 + off)
    vi.advanceTimersByTime(4_000)
    const second = journalsSince(run, first.seen)
    expect(indices(second)).toEqual([0, 1])
    const third = journalsSince(run, second.seen)
    expect(indices(third)).toBe(null)
    writeFileSync(join(records, '2.3'), '')
    touch()
    expect(indices(journalsSince(run, third.seen))).toEqual([0, 1, 2])
  },
)
