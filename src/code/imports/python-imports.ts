import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fewOf } from '../../domain/text/names.js'
import { atomicWrite, realPath } from '../../system/files.js'
import { importsFolder } from './imports-folder.js'
import { commandText, type GroupCommand, interpreterOf, linkedEnvironments, siteFolders } from './interpreter.js'
import { lockSentences } from './locked-packages.js'
import {
  hasPathsInto,
  isCompiled,
  type OwnPackage,
  ownPackages,
  pathInside,
  replaceModules,
  textOf,
} from './python-packages.js'
import startup from './sitecustomize.py?raw'

/**
 * Makes the folder that comes first in the PYTHONPATH of groups in a frozen copy: with the file in it, Python imports
 * packages of the repository from the copy, wherever an environment leads.
 * @param links ignored paths that the copy links to, relative to the root of the repository
 * @returns sentences about code that will come from elsewhere all the same
 */
export function providePython(command: GroupCommand, links: readonly string[]): readonly string[] {
  const { repository, worktrees, copy, variables } = command
  const folder = join(importsFolder(copy), 'python')
  const { prefix, option } = interpreterOf(command)
  const isolation = option === null ? (folder.includes(':') ? 'since its path has a colon' : null) : `with ${option}`
  const hidden = hiddenPackages(command)
  const used = prefix === null ? [] : siteFolders(prefix, variables)
  const activated = [variables.VIRTUAL_ENV, variables.CONDA_PREFIX, ...linkedEnvironments(repository, links)]
  const possible = activated.flatMap(environment => (environment ? siteFolders(environment, variables) : []))
  const installed: Record<string, string> = {}
  const [sentences, own]: [string[], string[]] = [[], []]
  for (const site of new Set([...used, ...possible])) {
    const packages = ownPackages(site, [...worktrees, repository])
    own.push(...packages.map(({ name }) => name))
    const isUsed = used.includes(site)
    for (const each of packages.filter(({ editable }) => !editable)) {
      const { sources, missing, compiled } = replaceModules(each, copy)
      Object.assign(installed, sources)
      if (isUsed && !isolation) sentences.push(...installedSentences(each, missing, compiled))
    }
    const unseen = packages.filter(each => hidden(each.name))
    if (!isolation && unseen.length > 0)
      sentences.push(isolatedSentence('where PYTHONPATH is set anew, without $PYTHONPATH', unseen, site))
    if (!isUsed) continue
    if (isolation && (packages.length > 0 || hasPathsInto(site, [...worktrees, repository])))
      sentences.push(isolatedSentence(isolation, packages, site))
    else sentences.push(...packages.filter(({ editable }) => editable).flatMap(builtSentences))
  }
  // For `uv run`, an environment is made that is what its lock file says.
  const isOfTree = prefix !== null && pathInside(repository, realPath(prefix)) !== null
  if (isOfTree && !command.words.some(word => /(^|\/)uv$/.test(word)))
    sentences.push(...lockSentences(command, prefix, own))
  mkdirSync(folder, { recursive: true })
  const others = Object.fromEntries(worktrees.map(root => [root, copy]))
  const facts = { LIVE: repository, COPY: copy, OTHERS: others, INSTALLED: installed }
  const lines = Object.entries(facts).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
  const encoding = '# -*- coding: utf-8 -*-\n'
  atomicWrite(join(folder, 'sitecustomize.py'), `${encoding}${lines.join('')}${startup.replace(encoding, '')}`)
  return sentences
}

/**
 * Tells which packages are not looked for in the frozen copy, since a command sets PYTHONPATH without what it was, and does
 * not name a folder with the package.
 */
function hiddenPackages(command: GroupCommand): (name: string) => boolean {
  const lines = [...commandText(command).matchAll(/(?<![\w$])PYTHONPATH=(\S*)/g)].map(([, value]) => value!)
  const anew = lines.filter(value => !/\$\{?PYTHONPATH\b/.test(value))
  const folders = anew.flatMap(value => value.replace(/["';]|\$\(pwd\)\/?|\$\{?PWD\}?\/?/g, '').split(':'))
  const has = (name: string) =>
    folders.some(folder => [name, `${name}.py`].some(each => existsSync(join(command.root, folder, each))))
  return name => anew.length > 0 && !has(name)
}

/** How many folders and files are looked at: launches wait for it. */
const entriesAtMost = 5_000

/** Whether a copy has Python, the nearest folders first; true where it is too large to be searched. */
export function hasPython(copy: string): boolean {
  const folders = [copy]
  let seen = 0
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile() && /\.(py|pyx|ipynb)$/.test(entry.name)) return true
      if (entry.isDirectory() && !/^\.(git|qanat)$/.test(entry.name)) folders.push(join(folder, entry.name))
      if (++seen > entriesAtMost) return true
    }
  }
  return false
}

function isolatedSentence(reason: string, packages: readonly OwnPackage[], site: string): string {
  const names = packages.length > 0 ? fewOf(packages.map(({ name }) => name)) : 'what its .pth files name'
  return `imports live code: ${reason}, Python takes ${names} as ${site} has it, not from the frozen copy`
}

function installedSentences(
  { name, site }: OwnPackage,
  missing: readonly string[],
  compiled: readonly string[],
): string[] {
  if (missing.length > 0)
    return [
      `imports live code: ${site} has a copy of ${name} that was installed earlier, and the commit has no ${fewOf(missing)} that could be imported instead`,
    ]
  if (compiled.length === 0) return []
  return [`imports live code: the compiled files of ${name} are those that were installed into ${site} earlier`]
}

/** Compiled files of an editable package are in the environment, or where they were built. */
function builtSentences({ name, site, files }: OwnPackage): string[] {
  const loaders = files.filter(file => /^_\w+_editable_loader\.py$/.test(file))
  if (!files.some(isCompiled) && !loaders.some(file => buildsCompiled(join(site, file)))) return []
  return [`imports live code: the compiled files of ${name} are those that were built last in the project's tree`]
}

/** Whether the build folder that a loader of meson-python names has compiled files to install. */
function buildsCompiled(loader: string): boolean {
  const paths = [...textOf(loader).matchAll(/'(\/[^']+)'/g)].map(([, path]) => path!)
  return paths.some(path => /\.(so|dylib)"/.test(textOf(join(path, 'meson-info/intro-install_plan.json'))))
}
