import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { localShells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { notes } from './run-folder.js'
import { ran } from './worker.js'

describe.each(localShells)('the lines of a template and the script around them, run by %s', shell => {
  test.each([
    ['strict settings', 'set -euf'],
    ['another field separator', "IFS=','"],
    ['no overwriting', 'set -C'],
    ['streams of their own', 'exec >/dev/null 2>&1'],
    ['a trap of their own', `trap 'echo over >>"$QANAT_PROJECT/order"' EXIT`],
  ])('do not affect each other: %s', async (_, setup) => {
    const temporary = folderWith()
    const worker = await ran(shell, {
      script: 'echo out; exit 3',
      groups: [[], []],
      environment: { setup, scratch: true, background: ['sleep 300', 'sleep 300'], teardown: notes('teardown') },
      variables: { TMPDIR: temporary },
    })
    for (const index of [0, 1]) {
      expect(worker.endOf(index)).toMatchObject({ code: 3, outcome: 'exit' })
      expect(worker.read(`group_${index}/stdout.txt`)).toBe('out\n')
    }
    expect(worker.order().filter(line => line === 'teardown')).toHaveLength(2)
    expect(worker.read('.run/warnings.txt')).toBeNull()
    expect(readdirSync(temporary)).toEqual([])
  })

  test('have their own variables, even with the same names', async () => {
    const names = `attempt clock code file folder host index info job journal line mode now outcome pid project run
      scratch signalled started stopped task tasks`.split(/\s+/)
    const show = names.map(name => `${name}=$${name}`).join(' ')
    const worker = await ran(shell, {
      script: notes(show),
      environment: {
        setup: names.map(name => `${name}=changed_$${name}`).join('\n'),
        scratch: true,
        background: ['index=5; code=7'],
        teardown: notes(show),
      },
      variables: Object.fromEntries(names.map(name => [name, 'mine'])),
    })
    const shown = names.map(name => `${name}=changed_mine`).join(' ')
    expect(worker.order()).toEqual([shown, shown])
    expect(worker.endOf()).toMatchObject({ index: 0, code: 0, outcome: 'exit' })
  })

  test('leave alone the scratch folder of somebody else', async () => {
    const scratch = folderWith({ 'precious.txt': '' })
    const worker = await ran(shell, {
      workingDirectory: '/no/such/folder',
      environment: { scratch: true },
      variables: { QANAT_SCRATCH: scratch },
    })
    expect(worker.endOf()).toMatchObject({ outcome: 'launch' })
    expect(readdirSync(scratch)).toEqual(['precious.txt'])
  })
})
