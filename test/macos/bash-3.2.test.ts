import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What bash has learnt to read since version 3.2, by what it looks like. The job script is plain POSIX besides: shellcheck. */
const newer: Readonly<Record<string, RegExp>> = {
  'declare -A, -g or -n': /\b(declare|local|typeset) -\w*[Agn]/,
  'mapfile, readarray or coproc': /\b(mapfile|readarray|coproc)\b/,
  '${x^^} or ${x,,}': /\$\{\w+(\[[^\]]*\])?(\^|,)/,
  'an index from the end': /\[-\d+\]/,
  '|& or &>>': /\|&|&>>/,
  ';& or ;;&': /;&/,
  '[[ -v or -R': /\[\[ -[vR] /,
  'wait -n': /\bwait -\w*n/,
  'printf %(…)T': /%\([^)]*\)T/,
  '{name}<file': /\{\w+\}[<>]/,
  'a step in {1..9..2}': /\{\w+\.\.\w+\.\./,
  'read with part of a second, -i or -N': /\bread\b[^|;]* -\w*([iN]|t ?\d*\.)/,
  // Its parser takes the parenthesis of a pattern for the end of the substitution.
  'case in $(…)': /\$\([^)]*\bcase\b/,
}

const runners = 'src/runners'
const scripts = readdirSync(runners).filter(name => name.endsWith('.sh'))

test.each([...scripts.map(name => `${runners}/${name}`), 'src/cli/completion/qanat.bash'])(
  '%s has nothing that bash 3.2 of macOS cannot read',
  path => {
    const code = readFileSync(path, 'utf8').replace(/^\s*#.*$/gm, '')
    expect(Object.keys(newer).filter(name => newer[name]!.test(code))).toEqual([])
  },
)
