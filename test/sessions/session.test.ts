import { describe, expect, test } from 'vitest'
import { consoleBlock, isAsShown, storiesOf } from './session.js'

const session = `# A story

Project: it

\`\`\`sh run.sh
echo a
\`\`\`

\`\`\`console
$ qanat list
a
[exit 2]
$ cat <<END
> x
> END
x
% true
$ seq 2 → 1 ⏎ 2
$ false → [exit 1]
$ qanat x →   x ⏎ y [exit 3]
\`\`\`

# Another
`

describe('a session', () => {
  test('has stories with files, commands, outputs and exit codes', () => {
    const stories = storiesOf(session)
    const shown = [
      { command: 'qanat list', output: 'a', code: 2 },
      { command: 'cat <<END\nx\nEND', output: 'x', code: 0 },
      { command: 'true', isAside: true, code: 0 },
      { command: 'seq 2', output: '1\n2', code: 0 },
      { command: 'false', output: '', code: 1 },
      { command: 'qanat x', output: '  x\ny', code: 3 },
    ]
    expect(stories.map(({ title }) => title)).toEqual(['A story', 'Another'])
    const file = { kind: 'file', path: 'run.sh', text: 'echo a\n' }
    expect(stories[0]!.steps.filter(({ kind }) => kind !== 'text')).toMatchObject([file, { kind: 'console', shown }])
  })

  test('is written as it was read', () => {
    const steps = storiesOf(session).flatMap(({ steps }) => steps)
    expect(steps.map(step => (step.kind === 'console' ? consoleBlock(step.shown) : step.raw)).join('')).toBe(session)
  })

  test.each(['text\n# A story', '# A story\n```console\nno command\n```'])('is refused: %j', text => {
    expect(() => storiesOf(text)).toThrow()
  })
})

test.each<[string, string, boolean]>([
  ['a \nb\n\n', 'a\nb', true],
  ['a\nb\n', 'a', false],
  ['', 'a', false],
  ['', '', true],
  ['a\n', '', false],
  ['run 12 ended', 'run … ended', true],
  ['run 12\nended', 'run … ended', false],
  ['axb', 'a.b', false],
  ['a\nb\nc\nd', 'a\n…\nd', true],
  ['a\nd', 'a\n…\nd', true],
  ['a\nb\nc', 'a\n…\nd', false],
])('%j is as shown in %j: %s', (output, shown, expected) => {
  expect(isAsShown(output, shown)).toBe(expected)
})
