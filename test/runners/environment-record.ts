import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentOf, type FactKind, factsOf, readFacts } from '../../src/domain/environments/environment.js'
import { environmentText } from '../../src/runners/settings.js'
import { fileWith, folderWith } from '../project/temporary.js'

/** Files of a Python that only says its version; the folders of its packages hold nothing. */
export function pythonWith(...packages: string[]) {
  const files = packages.map(name => [`lib/python3.11/site-packages/${name}`, ''])
  return { 'bin/python3': '#!/bin/sh\necho Python 3.11.7\n', ...Object.fromEntries(files) }
}

export const withNumpy = pythonWith('numpy-2.0.dist-info/x')
/** Where the programs of a folder are found. */
export const pathOf = (folder: string) => ({ PATH: `${folder}/bin:${process.env.PATH}` })

/** Makes files below a folder, those in `bin` executable; returns the folder. */
export function treeOf(files: Readonly<Record<string, string>>, folder = folderWith()): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
    if (/(^|\/)bin\//.test(path)) chmodSync(join(folder, path), 0o755)
  }
  return folder
}

/**
 * Runs the script in a folder after a group has ended, and returns what it has recorded.
 * @param seconds that each part may take: on a busy machine those of the script may not be enough
 */
export function record(
  folder: string,
  words: readonly string[],
  variables = {},
  { starter = '', shell = 'sh', seconds = 100 } = {},
) {
  const env = { PATH: process.env.PATH, HOME: folder, QANAT_PROJECT: folder, ...variables }
  const script = fileWith(environmentText.replace('KILL 5 ', `KILL ${seconds} `), 'environment.sh')
  const journal = fileWith('1 end 0 1 0 exit 17.5 18 - - - n1 - 0\n', 'journal')
  const given = [script, 'record', '', journal, '0 1', '17.5 n1 - 0', '1', starter, 'exp/it.py', ...words]
  const { status, stdout: text } = spawnSync(shell, given, { cwd: folder, env, encoding: 'utf8' })
  const { facts, ending } = readFacts(text)
  const environment = environmentOf(facts, false)
  const named = (kind: FactKind) => Object.fromEntries(factsOf(environment, kind))
  return { status, ending, named, text }
}
