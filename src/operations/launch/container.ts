import { resolve } from 'node:path'
import type { Container } from '../../domain/container.js'
import { UserError } from '../../errors.js'
import { digestOfLarge } from '../../project/data/large-files.js'
import { realPath, whatIsAt } from '../../project/paths.js'
import type { Site } from '../../sites/site.js'
import type { Workspace } from '../workspace.js'

/**
 * The container that was asked for: a file or folder is an image for Apptainer or Singularity, `scheme://…` a source for
 * them, and anything else the name of an image for Docker or Podman. In a context, files are those of the machine there.
 * @throws UserError for a file that does not exist; SchedulerError if nobody can tell
 */
export async function resolveContainer(workspace: Workspace, image: string, gpu: boolean): Promise<Container> {
  if (/^[a-z][a-z0-9+-]*:\/\//.test(image)) return { image, kind: 'apptainer', gpu, digest: null }
  const { site } = workspace
  if (!site.isHere && site.namespace === null && filePattern.test(image)) return imageThere(site, image, gpu)
  const path = resolve(workspace.cwd, image)
  // A folder has no digest.
  if (whatIsAt(path) !== null) {
    return { image: path, kind: 'apptainer', gpu, digest: await digestOfLarge(workspace.project, path) }
  }
  if (filePattern.test(image)) {
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

/** What is meant as a file, whether it is there or not. */
const filePattern = /^[./~]|\.(sif|simg|img)$/

/** An image file of another machine. Its digest is not known: images are large, and login nodes are not for work. */
async function imageThere(site: Site, image: string, gpu: boolean): Promise<Container> {
  const isThere = image.startsWith('/') && (await site.run(['test', '-e', image], { timeout: 60_000 })).exitCode === 0
  if (isThere) return { image, kind: 'apptainer', gpu, digest: null }
  throw new UserError(
    `there is no container ${image} on ${site.name}`,
    'give the absolute path of an image file there, a source such as docker://python:3.12, or the name of an image',
  )
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
