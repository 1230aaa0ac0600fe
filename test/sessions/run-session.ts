import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitWords } from '../../src/domain/text/words.js'
import { paths } from '../e2e/expectations.js'
import { awaits, Folder, type Outcome, projectWith, shellProject, until } from '../e2e/project.js'
import { withAction } from '../e2e/runs/acting.js'
import { withData } from '../e2e/runs/flowers.js'
import { withCompiled, withPaper } from '../e2e/runs/paper.js'
import { withSubmodule } from '../e2e/truth/submodule.js'
import { consoleBlock, isAsShown, type Shown, type Step, storiesOf } from './session.js'

/** Where a story begins, by the word behind `Project:` below its heading; without that line in an empty folder. */
const projects: Readonly<Record<string, () => Promise<Folder>>> = {
  'a folder': async () => new Folder(),
  /** The experiment `it` prints its arguments. */
  arguments: () => projectWith('echo "$@"'),
  /** The experiment `it` ends well at once. */
  it: () => projectWith('true'),
  /** The experiment `it` runs its first argument as shell code. */
  shell: () => shellProject(),
  /** The same, with a command `gate NAME`, which ends once there is a file `.qanat/gate_NAME`. */
  gates: () => projectWith(`gate() { ${awaits('$1')}; }\neval "$1"\n`),
  /** The experiment `acting` has actions `plot` and `gone`, and run 1 of two groups. */
  acting: withAction,
  /** The experiment `it` reads the datasets `flowers`, which git ignores, and `tracked`. */
  data: withData,
  /** A document `paper` depends on files of the experiment `count`. */
  paper: withPaper,
  /** The same once it was compiled: run 1 is a grid of three groups, run 2 a single group. */
  compiled: withCompiled,
  /** A submodule `lib` of the project holds another one. */
  submodule: withSubmodule,
}

/** With this variable, what a session shows is replaced by what commands print, where they differ. */
export const update = process.env.QANAT_UPDATE_SESSIONS === '1'

/** How outputs are compared, and written where they differ. */
export interface Manner {
  /** What is compared of an output, and of what is shown. */
  readonly compared: (text: string, folder: Folder) => string
  /** What is shown of an output. */
  readonly shown: (output: string, folder: Folder) => string
  /** Whether a command that is refused must leave the folder as it was. */
  readonly isStrict: boolean
}

/** Sessions say with `…` what differs from one time to another. */
const session: Manner = { compared: text => text, shown: withoutPlace, isStrict: true }

/** Defines a test for each story of a session. */
export function testSession(markdown: string, path: string): void {
  const stories = storiesOf(markdown)
  const texts = stories.map(({ steps }) => steps.map(({ raw }) => raw).join(''))
  for (const [at, { title, steps }] of stories.entries()) {
    test(title, async () => {
      const folder = await beginning(texts[at]!)
      let text = ''
      for (const step of steps) text += await play(step, folder, session)
      texts[at] = text
      if (update) writeFileSync(path, texts.join(''))
    })
  }
}

function beginning(text: string): Promise<Folder> {
  const name = /^Project: (.+)$/m.exec(text)?.[1] ?? 'a folder'
  const make = projects[name]
  if (make === undefined) throw new Error(`no project '${name}': there are ${Object.keys(projects).join(', ')}`)
  return make()
}

/** Does what a step says. @returns its Markdown, with the outputs of now where they are updated */
export async function play(step: Step, folder: Folder, manner: Manner): Promise<string> {
  if (step.kind === 'file') folder.write(step.path, step.text, step.text.startsWith('#!') ? 0o755 : 0o644)
  if (step.kind !== 'console') return step.raw
  const printed: Shown[] = []
  for (const shown of step.shown) printed.push(await type(shown, folder, manner))
  const isSame = printed.every((now, at) => now === step.shown[at])
  return isSame ? step.raw : `${consoleBlock(printed)}${/\n*$/.exec(step.raw)![0]}`
}

/**
 * Runs a command and compares what it prints, on stderr first. A command that is refused leaves nothing behind.
 * @returns what is shown, or what it printed if that is updated
 */
async function type(shown: Shown, folder: Folder, manner: Manner): Promise<Shown> {
  if (shown.isAside) {
    const { code, stdout, stderr } = await outcomeOf(shown.command, folder)
    expect.soft([0, 1], `% ${shown.command}\n${stderr}${stdout}`).toContain(code)
    return shown
  }
  const isRefused = shown.command.startsWith('qanat ') && [2, 3, 4].includes(shown.code)
  const found = isRefused && manner.isStrict && state(folder)
  const { stdout, stderr, code } = await outcomeOf(shown.command, folder)
  const output = `${stderr}${stdout}`
  const [now, before] = [output, shown.output].map(text => manner.compared(text, folder)) as [string, string]
  if (code === shown.code && isAsShown(now, before)) {
    if (found) expect.soft(state(folder), `what '${shown.command}' has left`).toEqual(found)
    if (isRefused && !shown.command.includes('json')) expect.soft(stdout, shown.command).toBe('')
    return shown
  }
  const whole = (text: string, exit: number | null) => `$ ${shown.command}\n${text.trimEnd()}\n[exit ${exit}]`
  if (!update) expect.soft(whole(now, code)).toBe(whole(before, shown.code))
  return { ...shown, output: manner.shown(output, folder).trimEnd(), code: code ?? -1 }
}

/**
 * Everything that a command could leave but locks, which stay, and the index of definitions, which follows their files. The
 * environment of an earlier run may still be recorded after that has ended.
 */
function state(folder: Folder): unknown {
  const left = paths(folder).filter(path => !path.startsWith('.qanat/locks') && !path.includes('/.run/environments/'))
  return [left, folder.has('.qanat/database.db') && rowsOf(folder)]
}

/** What is in the tables of a database but in those of definitions; the text of a file that is no database. */
function rowsOf(folder: Folder): unknown {
  const index = ['datasets', 'experiments', 'documents']
  try {
    return folder.inDatabase(database => {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
      const kept = tables.filter(table => !index.includes(table))
      return kept.map(table => [table, database.prepare(`SELECT * FROM "${table}"`).raw().all()])
    })
  } catch {
    return folder.read('.qanat/database.db')
  }
}

/** A text without the path of this folder, commits, and times. */
function withoutPlace(text: string, { path }: Folder): string {
  return text
    .replaceAll(path, '…')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, '…')
    .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?|\b\d+(\.\d+)? s\b/g, '…')
}

/**
 * What a command leaves. `qanat` without anything else of a shell runs in a process that is reused. Behind `| json`
 * stands JavaScript that is evaluated with what is printed as `it`; behind `| until` too, where `it` may be a text: the
 * command is repeated until that is true, and prints nothing.
 */
async function outcomeOf(command: string, folder: Folder): Promise<Outcome> {
  const [, code = command, filter, expression = ''] = /^([\s\S]*?) \| (json|until) ([\s\S]*)$/.exec(command) ?? []
  const words = wordsOf(code)
  const shell = `commit() { git add --all && git commit --quiet --message "\${1:-A commit}"; }\n${code}`
  const run = () => (words?.[0] === 'qanat' ? folder.qanat(...words.slice(1)) : folder.shell(shell))
  if (filter === 'until') {
    await until(run, ({ stdout }) => evaluated(expression, stdout) === 'true\n')
    return { stdout: '', stderr: '', code: 0 }
  }
  const outcome = await run()
  return filter === 'json' ? { ...outcome, stdout: evaluated(expression, outcome.stdout) } : outcome
}

/** The words of a simple command; undefined where it takes a shell to know them. */
function wordsOf(command: string): string[] | undefined {
  const quoted = /'[^']*'|"[^"$`\\]*"|\\\n/g
  return /[|&;<>()$`\\\n*?[#~{"']/.test(command.replace(quoted, '')) ? undefined : splitWords(command)
}

/** A line for each element of a list, else one line; texts as they are. */
function evaluated(expression: string, stdout: string): string {
  const value = new Function('it', `return ${expression}`)(/^[[{]/.test(stdout) ? JSON.parse(stdout) : stdout)
  const line = (one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))
  return (Array.isArray(value) ? value : [value]).map(one => `${line(one)}\n`).join('')
}
