import { writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { until } from '../e2e/project.js'
import { hasTerminal, Screen } from '../e2e/screen.js'
import { type Manner, play, update } from '../sessions/run-session.js'
import { isAsShown } from '../sessions/session.js'
import { type Part, type Piece, partsOf } from './page.js'
import { type Place, places } from './projects.js'
import { comeTo } from './slurm-states.js'
import { timeless } from './timeless.js'

/** Defines a test for each part of a page: what it has readers type prints what it shows. */
export function testPage(markdown: string, path: string): void {
  const parts = partsOf(markdown)
  const texts = parts.map(({ pieces }) => pieces.map(({ raw }) => raw).join(''))
  describe('a page', () => {
    for (const [at, part] of parts.entries()) {
      test(`${at + 1}: ${part.project}`, async () => {
        if (part.project.startsWith('none: ')) return expect(typedIn(part)).toEqual([])
        texts[at] = await textOf(part)
        if (update) writeFileSync(path, texts.join(''))
      })
    }
  })
}

function typedIn({ pieces }: Part): string[] {
  return pieces.flatMap(piece => (piece.kind === 'console' ? piece.shown.map(({ command }) => command) : []))
}

/** Types a part. @returns its Markdown, with the outputs of now where they are updated */
async function textOf({ project, pieces }: Part): Promise<string> {
  const place = await places[project]!()
  let text = ''
  for (const piece of pieces) text += await played(piece, place)
  return text
}

async function played(piece: Piece, place: Place): Promise<string> {
  if (piece.kind === 'screen') await draws(piece.command, piece.shown, place)
  else if (piece.kind === 'slurm') for (const words of piece.states) await comeTo(place.slurm!, words)
  else return play(piece, place.folder, mannerOf(place))
  return piece.raw
}

/** Waits until a command has drawn on a terminal what a page shows of it. */
async function draws(command: string, shown: string, place: Place): Promise<void> {
  if (!hasTerminal) return
  const screen = new Screen(place.folder, command, [106, 30])
  const said = (text: string) => mannerOf(place).compared(text, place.folder)
  await until(
    () => said(screen.text()),
    text => isAsShown(text, said(shown)),
  )
}

/** Readers are `ada`, at home on `laptop`. */
function mannerOf({ name }: Place): Manner {
  const shown: Manner['shown'] = (output, { path }) =>
    output
      .replaceAll(path, `~/${name}`)
      .replaceAll(hostname(), 'laptop')
      .replaceAll(`${userInfo().username}@laptop`, 'ada@laptop')
  // A command may have stored what became of earlier runs before it was refused.
  return { shown, compared: (text, folder) => timeless(shown(text, folder)), isStrict: false }
}
