import { dirname, join } from 'node:path'
import {
  builtImage,
  dockerfileOf,
  type ImageBuild,
  requirementsName,
  takesFiles,
} from '../../domain/pods/image-build.js'
import { UserError } from '../../errors.js'
import type { RecordedCode } from '../compare.js'
import { GitError, openGit } from '../git.js'
import type { TreeState } from '../tree-state.js'

/** All that an image is made of. */
export interface ImageSources {
  /** With its tag. */
  readonly image: string
  /** The text of its Dockerfile. */
  readonly dockerfile: string
  /** What the builder gets besides: a folder of the code, or a file as `requirements.txt`; null for nothing. */
  readonly files: { readonly id: string; readonly type: 'blob' | 'tree' } | null
}

/** What the image of some code is made of. @throws UserError if git does not have a file */
export async function imageSources(
  { git, prefix }: TreeState,
  { commit, tree }: RecordedCode,
  build: ImageBuild,
): Promise<ImageSources> {
  const find = async (path: string, type: 'blob' | 'tree') => {
    // A folder that is the whole repository has no name.
    const inside = join(prefix, path).replace(/^\.?\/?$|\/$/, '')
    const parse = async (name: string) => (await git.run('rev-parse', '--verify', '--quiet', name)).trim()
    try {
      return { id: await parse(`${await parse(`${tree ?? commit}:${inside}`)}^{${type}}`), type }
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      throw new UserError(
        `the image cannot be built: ${path} is no file of commit ${commit.slice(0, 7)}`,
        'add it to git, or correct build of the template: qanat config edit',
      )
    }
  }
  const { from } = build
  if ('base' in from) {
    const dockerfile = dockerfileOf(from)
    const files = await find(from.requirements, 'blob')
    return { image: builtImage(build, dockerfile, files.id), dockerfile, files }
  }
  const dockerfile = await git.run('cat-file', 'blob', (await find(from.dockerfile, 'blob')).id)
  const files = takesFiles(dockerfile) ? await find(dirname(from.dockerfile), 'tree') : null
  return { image: builtImage(build, dockerfile, files?.id ?? null), dockerfile, files }
}

/** Writes what the builder gets into an empty folder. @param index a path that is free */
export async function writeFiles(
  { gitRoot }: TreeState,
  files: ImageSources['files'],
  index: string,
  folder: string,
): Promise<void> {
  if (files === null) return
  const file = ['update-index', '--add', '--cacheinfo', `100644,${files.id},${requirementsName}`]
  // In a subfolder git would write only what lies in a folder of that name.
  const git = openGit(gitRoot)
  await git.runWithIndex(index, ...(files.type === 'tree' ? ['read-tree', files.id] : file))
  await git.runWithIndex(index, 'checkout-index', '--all', `--prefix=${folder}/`)
}
