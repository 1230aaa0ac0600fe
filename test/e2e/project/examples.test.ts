import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandPages } from '../../../bin/docs/command-pages.mjs'
import { places } from '../../docs/projects.js'
import { madeOnce } from '../made-once.js'
import { Folder, until } from '../project.js'

// The examples of `--help`, each typed in a project of its own with these runs of the Iris example:
const launched = [
  'qanat run -q summary_iris --bins 20',
  'qanat run -q -V "--rate 0.1 1" classify_iris -R "--seed 0 2 1" --n_threads 2',
  'qanat run -q summary_iris --species rosa || true',
  'qanat run -q summary_iris -R "--seed 0 4 1" --n_threads 2',
]

const project = madeOnce(async () => {
  const { folder } = await places.iris!()
  await prepare(folder, launched)
  return folder
})

const noRuns = 'qanat run_delete 1-4 --yes && qanat trash empty --yes'

/** What was typed before an example, by its beginning. The longest one counts. */
const before: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['copy', 'delete', 'edit', 'login', 'logout', 'show', 'test', 'use'].map(verb => [
      `qanat context ${verb}`,
      ['qanat context add hpc --host ssh://nobody@127.0.0.1:1 --root /nowhere --runner slurm'],
    ]),
  ),
  ...Object.fromEntries(
    ['qanat cache clean --context', 'qanat cache status --context', 'qanat dataset push iris --context'].map(words => [
      words,
      ['qanat context add hpc --host ssh://nobody@127.0.0.1:1 --root /nowhere --runner slurm'],
    ]),
  ),
  'qanat compare classify_iris --param rate:0.1 --tag paper': ['qanat run_tag 2 +paper'],
  'qanat context import': [`printf 'contexts: {a: {slurm_url: hpc, storage_dir: /data}}\n' >mrunner.yaml`],
  'qanat context add hpc -f hpc.yaml': [`printf 'host: hpc\nroot: /scratch\n' >hpc.yaml`],
  'qanat compare summary_iris -f grid.yaml': ['qanat run -q summary_iris -f grid.yaml'],
  'qanat config edit': ['cp .qanat/config.yaml shared-config.yaml'],
  'qanat dataset delete': [
    noRuns,
    'for name in summary_iris classify_iris knn_iris; do qanat experiment delete $name --yes || exit; done',
  ],
  'qanat dataset new': ['rm .qanat/definitions/dataset/iris.yaml && sed -i "s/^name: .*/name: flowers/" dataset.yaml'],
  'qanat document': ['qanat document new report.yaml'],
  'qanat document new': [],
  'qanat document update report -f document.yaml': ['qanat document new report.yaml && cp report.yaml document.yaml'],
  'qanat document view': ['qanat document new report.yaml && qanat document compile report'],
  'qanat experiment delete': [noRuns],
  'qanat experiment new': [
    'rm .qanat/definitions/experiment/summary_iris.yaml && sed -i "s/^name: .*/name: another/" experiment.yaml',
  ],
  'qanat experiment new train.py': [
    `printf 'import argparse\nargparse.ArgumentParser().add_argument("--storage_path")\n' >train.py`,
  ],
  'qanat plot --redo': ['qanat plot classify_iris -x rate -y accuracy -o accuracy.svg'],
  'qanat run_retire --undo 1': ['qanat run_retire 1'],
  'qanat run_tag 1 +final -draft': ['qanat run_tag 1 +draft'],
  'qanat trash': ['qanat run_delete 1-3 --yes'],
  'qanat whence': ['qanat plot classify_iris -o accuracy.svg && cp accuracy.svg report'],
}

/** What ends with another code than 0, and why. */
const refused: Readonly<Record<string, string>> = {
  'qanat context login hpc': 'ssh could not log in',
  'qanat cache clean --context hpc': 'there is no connection',
  'qanat cache status --context hpc': 'there is no connection',
  'qanat dataset push iris --context hpc': 'git has 2 files of the dataset',
  'qanat run_fetch 1': 'lives on this machine',
  "qanat run_fetch 1.0 --include '*.ckpt'": 'lives on this machine',
  "qanat run_fetch 1 --exclude 'checkpoints/**'": 'lives on this machine',
  'qanat run_slots 4 8': 'is over',
  'qanat run_slots latest 0': 'is over',
  'qanat run_slots latest 2': 'is over',
  'qanat run_cancel latest': 'there is nothing to cancel',
  'qanat run_retry 3': "no species 'rosa'",
}

/** Examples that ask, or open an editor: here, they say that there is no terminal. */
const asking = [
  ...['config edit', 'dataset delete iris', 'dataset new', 'dataset update iris', 'document add_dependency report'],
  ...['document delete report', 'document new', 'document update report', 'experiment delete summary_iris'],
  ...['experiment new', 'experiment update summary_iris', 'init', 'run_comment 1', 'run_delete 1', 'trash empty'],
  ...['run_explore summary_iris', 'run_explore 1', 'shell 3.1', 'shell 3.1 --submit_template default'],
  'shell --submit_template default',
  'context edit hpc',
  ...['experiment status summary_iris --live', 'groups latest --status running --live'],
  "run_explore classify_iris --sort -accuracy --where 'accuracy > 0.9'",
].map(words => `qanat ${words}`)

async function prepare(folder: Folder, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { code, stderr } = await folder.shell(line)
    if (code !== 0) throw new Error(`${line}\n${stderr}`)
  }
}

/** The words that a shell gives to `qanat`. */
function wordsOf(line: string, { path, environment }: Folder): string[] {
  const code = `qanat() { printf '%s\\0' "$@"; }\n${line}`
  return execFileSync('sh', ['-c', code], { cwd: path, env: environment, encoding: 'utf8' }).split('\0').slice(0, -1)
}

/** The value whose key is the longest beginning of a line. */
function ofBeginning<Value>(values: Readonly<Record<string, Value>>, line: string): Value | undefined {
  const keys = Object.keys(values).filter(key => line === key || line.startsWith(`${key} `))
  return values[keys.sort((one, other) => other.length - one.length)[0] ?? '']
}

const lines = (await commandPages()).flatMap(({ examples }) => examples.map(({ line }) => line))

describe('an example of --help works:', () => {
  test.each(lines)('%s', async line => {
    const folder = /^qanat (init|demo)/.test(line) ? new Folder() : await project()
    // The demo makes its project there, and keeps it.
    if (line.startsWith('qanat demo')) Object.assign(folder.environment, { HOME: folder.path, TMPDIR: folder.path })
    // Contexts and connections are the user's own.
    const own = join(folder.path, '.git/own')
    const sockets = join(own, 'run')
    mkdirSync(sockets, { recursive: true, mode: 0o700 })
    Object.assign(folder.environment, { XDG_CONFIG_HOME: own, XDG_STATE_HOME: own, XDG_RUNTIME_DIR: sockets })
    // What opens a page on a desktop may be there or not.
    folder.write('.git/own/xdg-open', '#!/bin/sh\nexec cat "$1"\n', 0o755)
    folder.environment.PATH = `${own}:${folder.environment.PATH}`
    await prepare(folder, ofBeginning(before, line) ?? [])
    const words = wordsOf(line, folder)
    if (words[0] === 'view') return expectPages(folder, words)
    const { code, stderr } = await folder.qanat(...words)
    const wrong = asking.includes(line) ? / terminal/ : new RegExp(refused[line] ?? '^')
    expect(stderr).toMatch(wrong)
    expect(code === 0, stderr).toBe(!asking.includes(line) && !(line in refused))
  })

  test('and each exception is one', () => {
    const named = [...asking, ...Object.keys(refused)]
    expect(named.filter(line => !lines.includes(line))).toEqual([])
    expect(Object.keys(before).filter(key => !lines.some(line => ofBeginning({ [key]: true }, line)))).toEqual([])
  })
})

/** The address of the pages is printed, or that another program has the port. */
async function expectPages(folder: Folder, words: readonly string[]): Promise<void> {
  const child = folder.start(words)
  let printed = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', data => (printed += data))
  await until(async () => /^http:|in use/m.test(printed))
}
