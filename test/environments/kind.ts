import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { Folder, open } from '../e2e/project.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the programs of the tools that are tried. */
    tools: string
  }
}

/** A kind of project, made with a real tool. */
interface Kind {
  /** Its files, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Shell lines that make its environment; `$OUTSIDE` is an empty folder elsewhere. */
  readonly make: string
  /** `executable_command` of its experiment. */
  readonly command: string
  /** Its `executable`, which waits until the gate `go` is open, then prints what it uses. */
  readonly script: string
  /** Shell lines that edit the tree while the first group waits. */
  readonly edit: string
  /** Variables around all commands, in which `$OUTSIDE` is that folder, too. */
  readonly environment?: Readonly<Record<string, string>>
}

/** What a grid of three groups did. */
interface Tried {
  /** The output of each group. */
  readonly printed: string[]
  /** What the launch said on stderr. */
  readonly said: string
  /** The warnings that are kept with the run. */
  readonly kept: string[]
  /** The files of the tree, and of the folder elsewhere, that the groups have changed. */
  readonly changed: string[]
  /** For further commands. */
  readonly project: Folder
  readonly outside: Folder
}

/** A line of a shell script that waits for the gate. */
export const gate = 'while [ ! -e "$QANAT_PROJECT/.qanat/gate_go" ]; do sleep 0.05; done\n'

/** A script of Python that waits for the gate, and then prints a value and where it comes from. */
export function pythonScript(...lines: string[]): string {
  return `import os, time
while not os.path.exists(os.environ['QANAT_PROJECT'] + '/.qanat/gate_go'): time.sleep(0.05)
${lines.join('\n')}
`
}

/** Makes a project of a kind, and runs a grid of three groups, while which the tree is edited. */
export async function tryKind({ files, make, command, script, edit, environment }: Kind): Promise<Tried> {
  const outside = new Folder()
  const variables = {
    PATH: `${inject('tools')}:${process.env.PATH}`,
    PYTHONDONTWRITEBYTECODE: '1',
    OUTSIDE: outside.path,
  }
  const others = Object.entries(environment ?? {}).map(([name, value]) => [
    name,
    value.replace('$OUTSIDE', outside.path),
  ])
  const project = new Folder({ ...variables, ...Object.fromEntries(others) })
  for (const [name, text] of Object.entries(files)) project.write(name, text)
  project.write('it.yaml', `name: it\nexecutable: ${script}\nexecutable_command: ${command}\n`)
  await inShell(project, `git init -q; qanat init --yes; ${make}\nqanat experiment new -f it.yaml`)
  project.commit()
  return tryGrid(project, outside, edit)
}

/** The same in a project that is there. @param words before the name of the experiment */
export async function tryGrid(project: Folder, outside: Folder, edit: string, ...words: string[]): Promise<Tried> {
  const launched = await project.qanat('run', '--detach', ...words, 'it', '-R', '--seed 0 3 1')
  if (launched.code !== 0) throw new Error(launched.stderr)
  const [, id] = /^Run (\d+)/.exec(launched.stdout)!
  await inShell(project, edit)
  const before = stateOf(project, outside)
  open(project, 'go')
  await project.qanat('run_wait', id!)
  await inShell(project, 'rm .qanat/gate_go')
  const folder = `results/it/run_${id}`
  const after = stateOf(project, outside)
  return {
    printed: [0, 1, 2].map(at =>
      `${project.read(`${folder}/group_${at}/stdout.txt`)}${project.read(`${folder}/group_${at}/stderr.txt`)}`.trim(),
    ),
    said: launched.stderr,
    kept: project.has(`${folder}/.run/warnings.txt`)
      ? project.read(`${folder}/.run/warnings.txt`).trim().split('\n')
      : [],
    changed: [...new Set([...before.keys(), ...after.keys()])]
      .filter(path => before.get(path) !== after.get(path))
      .sort(),
    project,
    outside,
  }
}

/** Runs shell lines, each of which has to succeed. */
export async function inShell(folder: Folder, lines: string): Promise<void> {
  const { code, stdout, stderr } = await folder.shell(`set -e\n${lines}`)
  if (code !== 0) throw new Error(`${lines}\n${stdout}\n${stderr}`)
}

/** All that is in the tree and in the folder elsewhere, but for our own, by path. */
function stateOf(project: Folder, outside: Folder): Map<string, string> {
  const found = new Map<string, string>()
  const look = (root: string, path: string) => {
    const place = join(root, path)
    const stats = lstatSync(place)
    if (stats.isSymbolicLink()) found.set(path, readlinkSync(place))
    else if (stats.isFile()) found.set(path, createHash('sha256').update(readFileSync(place)).digest('hex'))
    else if (stats.isDirectory())
      for (const name of readdirSync(place)) if (!/^(\.git|\.qanat|results)$/.test(path)) look(root, join(path, name))
  }
  look(project.path, '')
  look(outside.path, '')
  return found
}
