import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Warns of Python packages that are installed editable from the repository into an environment to which the frozen copy
 * has a link: scripts import them from the live tree, not from the recorded code.
 * @param gitRoot absolute
 * @param links ignored paths that the copy links to, relative to the repository's root
 */
export function warnOfEditableInstalls(
  gitRoot: string,
  links: readonly string[],
  warn: (message: string) => void,
): void {
  for (const link of links.filter(path => existsSync(join(gitRoot, path, 'pyvenv.cfg')))) {
    const files = sitePackages(join(gitRoot, link)).flatMap(folder =>
      readdirSync(folder)
        .filter(name => name.endsWith('.pth') || name.startsWith('__editable__'))
        .map(name => join(folder, name)),
    )
    const editable = files.find(file => isPath(file) && readFileSync(file, 'utf8').includes(gitRoot))
    if (editable === undefined) continue
    warn(
      `${link} holds a package that is installed editable from this repository (${editable}): the run imports the live tree, not the frozen code`,
    )
  }
}

function sitePackages(environment: string): string[] {
  const library = join(environment, 'lib')
  if (!existsSync(library)) return []
  return readdirSync(library)
    .map(name => join(library, name, 'site-packages'))
    .filter(folder => existsSync(folder))
}

function isPath(file: string): boolean {
  return /\.(pth|py)$/.test(file)
}
