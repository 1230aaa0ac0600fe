import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { userCommand } from '../../src/domain/user-command.js'
import { folderWith } from '../project/temporary.js'

/** What a script prints that shows each of its arguments. */
function printed(script: { executable: string; executableCommand: string }, args: readonly string[]): string {
  const cwd = folderWith({ "a script's.sh": 'printf "<%s>" "$@"\n' })
  const [program, ...words] = userCommand(script, args)
  return execFileSync(program!, words, { cwd, encoding: 'utf8', env: { ...process.env, MODE: '-x -y' } })
}

test('a script of the user gets its arguments byte for byte', () => {
  const args = ['', ' ', '$(id)', '*', "it's", '"', '\\', 'two\nlines', '-n', 'é']
  const expected = args.map(word => `<${word}>`).join('')
  expect(printed({ executable: "a script's.sh", executableCommand: 'sh' }, args)).toBe(expected)
})

test('only the words of its command are expanded, each to one word', () => {
  const script = { executable: "a script's.sh", executableCommand: 'sh "a script\'s.sh" $MODE ~' }
  expect(printed(script, ['$MODE'])).toBe(`<-x -y><${process.env.HOME}><a script's.sh><$MODE>`)
})
