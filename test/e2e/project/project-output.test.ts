import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { projectWith } from '../project.js'
import { hasTerminal, Screen } from '../screen.js'

/** A project with a run that failed. */
const projectWithRun = madeOnce(async () => {
  const folder = await projectWith('exit 3')
  folder.write('.qanat/data.yaml', 'name: data\npath: it.sh\n')
  await folder.qanat('dataset', 'new', '.qanat/data.yaml')
  await folder.qanat('run', 'it')
  return folder
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('there are emoji and colours', async () => {
    const folder = await projectWithRun()
    const commands = ['experiment status it', 'experiment list', 'dataset list', 'status']
    const screen = new Screen(folder, commands.map(words => `qanat ${words}`).join('; '))
    expect(await screen.exitCode()).toBe(0)
    for (const text of ['🔖 Name: it', '🔍 Status', '❌ failed', '⏳ Runs', '📁 Path'])
      expect(screen.text()).toContain(text)
    expect(screen.coloured()).toMatch(/\x1b\[31m❌ failed/)
  })

  test('emoji: false and --no_emoji turn off the emoji, not the colours', async () => {
    const lines = ['--no_emoji experiment list', 'experiment status it --no_emoji', 'config set emoji false', 'status']
    const screen = new Screen(await projectWithRun(), lines.map(words => `qanat ${words}`).join('; '))
    expect(await screen.exitCode()).toBe(0)
    expect(screen.text()).toContain('Name: it')
    expect(screen.coloured()).toMatch(/\x1b\[31mfailed/)
    expect(screen.coloured()).not.toMatch(/\p{Extended_Pictographic}/u)
  })

  test.each(['NO_COLOR=1', 'TERM=dumb'])('%s turns both off', async setting => {
    const folder = await projectWithRun()
    const screen = new Screen(folder, `export ${setting}; qanat experiment status it; qanat status; qanat run it`)
    expect(await screen.exitCode()).toBe(1)
    expect(screen.text()).toContain('Name: it')
    expect(screen.coloured()).not.toMatch(/\x1b\[[\d;]*m|\p{Extended_Pictographic}/u)
  })
})
