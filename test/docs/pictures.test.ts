import { statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Screen } from '../e2e/screen.js'
import { update } from '../sessions/run-session.js'
import { isAsShown, type Shown } from '../sessions/session.js'
import { partsOf, read } from './page.js'
import { type Frame, framesIn, movingPicture } from './picture.js'
import { places } from './projects.js'
import { timeless } from './timeless.js'

const path = 'docs/pictures/demo.svg'
const columns = 106

/** What the first session of the README shows. */
const session: readonly Shown[] = partsOf(read('README.md'))[0]!.pieces.flatMap(piece =>
  piece.kind === 'console' ? piece.shown : [],
)

/** Types the commands in a terminal, where words have no symbols beside them. */
async function recorded(): Promise<Frame[]> {
  const { folder } = await places.iris!()
  const frames: Frame[] = []
  for (const { command } of session) {
    const screen = new Screen(folder, command.replace('qanat', 'qanat --no_emoji'), [columns, 20])
    await screen.exitCode()
    const lines = screen.coloured().split('\n')
    frames.push({
      command,
      lines: lines.slice(
        0,
        lines.findIndex(line => line.includes('[exit ')),
      ),
    })
  }
  return frames
}

/** Whether the picture has the commands and the outputs of the session. */
function showsSession(): boolean {
  const frames = framesIn(read(path))
  return (
    frames.length === session.length &&
    frames.every(({ command, output }, at) => {
      const shown = session[at]!
      return command === shown.command && isAsShown(timeless(output), timeless(shown.output))
    })
  )
}

test('the picture of the README shows its session', async () => {
  if (update && !showsSession()) writeFileSync(path, movingPicture(await recorded(), columns))
  expect(statSync(path).size).toBeLessThan(100_000)
  const texts = framesIn(read(path)).map(({ command, output }) => `$ ${command}\n${timeless(output)}`)
  if (!showsSession()) {
    expect(texts).toEqual(session.map(({ command, output }) => `$ ${command}\n${timeless(output)}`))
  }
})
