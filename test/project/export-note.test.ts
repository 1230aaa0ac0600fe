import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ExportNote, notePath, noteText, readNote } from '../../src/project/documents/export-note.js'
import { folderWith } from './temporary.js'

const note: ExportNote = {
  ...{ document: 'paper', experiment: 'digits', run: 4, token: 'abc', commit: 'c0ffee', groups: 3, code_used: null },
  ...{ environments: [], data: [], run_args_file: 'args.yaml', run_args: 'seed: 1\n\n# two lines\n' },
  ...{ command: 'sh it.sh --x "1  2"', runner: 'local', container: null, action: null, made: null },
  ...{ exported: '2026-11-22T22:00:00.000Z', content: 'sha256:12', source: 'results/digits/run_4/fig.svg' },
}

/** What is read of a note with this text. */
function read(text: string) {
  const file = join(folderWith(), 'fig.svg')
  writeFileSync(notePath(file), text)
  return readNote(file)
}

describe('the note on an exported file', () => {
  test('says where the file is from', () => {
    const { document, run, token, commit, content, source } = note
    expect(read(noteText(note))).toMatchObject({ document, run, token, commit, content, source, edited: false })
  })

  test.each([
    ['another run', (text: string) => text.replace('run: 4', 'run: 5')],
    ['a line more', (text: string) => `me: too\n${text}`],
    ['a line below', (text: string) => `${text}me: too\n`],
    ['another digest', (text: string) => text.replace(/seal: ..../, 'seal: 0000')],
  ])('is known to be edited: %s', (_, edit) => {
    expect(read(edit(noteText(note)))).toMatchObject({ edited: true })
  })

  test('does not count as edited if git has changed its line ends', () => {
    expect(read(noteText(note).replaceAll('\n', '\r\n'))).toMatchObject({ edited: false })
  })

  const none = ['', '{', 'null', 'run: 4\ntoken: abc\n', noteText(note).replace('sha256:12', '12')]
  test.each(none)('is not taken from the text %j', text => {
    expect(read(text)).toBeNull()
  })
})
