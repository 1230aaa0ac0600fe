import { resolve } from 'node:path'
import type { Container } from '../../domain/container.js'
import { UserError } from '../../errors.js'
import { digestOfLarge } from '../../project/data/large-files.js'
import { realPath, whatIsAt } from '../../project/paths.js'
import type { Site } from '../../sites/site.js'
import type { Workspace } from '../workspace.js'

/**
 * The container that was asked for: a file or folder is an image for Apptainer or Singularity, `scheme://…` a source for
 * them, and anything else the name of an image for Docker or Podman.
 * @throws UserError for a file that does not exist
 */
export async function resolveContainer(workspace: Workspace, image: string, gpu: boolean): Promise<Container> {
  if (/^[a-z][a-z0-9+-]*:\/\//.test(image)) return { image, kind: 'apptainer', gpu, digest: null }
  const path = resolve(workspace.cwd, image)
  // A folder has no digest.
  if (whatIsAt(path) !== null) {
    return { image: path, kind: 'apptainer', gpu, digest: await digestOfLarge(workspace.project, path) }
  }
  if (/^[./~]|\.(sif|simg|img)$/.test(image)) {
    throw new UserError(
      `there is no container ${image}`,
      'give the path of an image file, or the name of an image for Docker or Podman',
    )
  }
  if (!/^[a-z0-9][\w./:@-]*$/i.test(image)) {
    throw new UserError(`'${image}' is not the name of an image`, 'a name is written as in: python:3.12-slim')
  }
  return { image, kind: 'docker', gpu, digest: await digestOfName(workspace.here, image) }
}

/** The digest of an image of Docker or Podman; null if it is not on this machine: it may be on the nodes. */
async function digestOfName({ run }: Site, image: string): Promise<string | null> {
  for (const engine of ['docker', 'podman']) {
    const command = [engine, 'image', 'inspect', '--format', '{{.Id}}', image]
    const { exitCode, stdout } = await run(command, { timeout: 10_000 })
    const digest = stdout.trim()
    if (exitCode === 0) return digest.includes(':') ? digest : `sha256:${digest}`
  }
  return null
}

/**
 * Absolute paths to bind, each once, including the targets of links.
 * @throws UserError for a path that the engines cannot bind
 */
export function pathsToBind(paths: readonly string[]): string[] {
  const all = paths.flatMap(path => [path, realPath(path)])
  const bad = all.find(path => /[:,]/.test(path))
  if (bad)
    throw new UserError(`'${bad}' cannot be bound into a container: its path has a : or a , in it`, 'rename the folder')
  const isInside = (path: string) => all.some(other => path !== other && path.startsWith(`${other}/`))
  return [...new Set(all)].filter(path => !isInside(path))
}
