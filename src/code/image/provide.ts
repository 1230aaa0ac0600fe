import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Builder, builders, buildWords, pullWords, pushWords } from '../../domain/pods/image-build.js'
import { UserError } from '../../errors.js'
import { hasProgram, runHere } from '../../system/programs.js'
import { inTemporaryFolder } from '../../system/temporary-folder.js'
import type { TreeState } from '../tree-state.js'
import { type ImageSources, writeFiles } from './sources.js'

/** The program that builds images here. @throws UserError if there is none */
export function findBuilder(): Builder {
  const found = builders.find(hasProgram)
  if (found !== undefined) return found
  throw new UserError(
    `the submit template has build, and none of ${builders.join(', ')} is in the PATH`,
    'install one, as in: apt install buildah\n  or name an image that is there, in the place of build: image: …',
  )
}

/** What a launch knows of a build. */
export interface Building {
  readonly builder: Builder
  /** File for what the builder prints, absolute; its folder is made. */
  readonly log: string
  /** Ends the builder. */
  readonly ending: AbortSignal
  /** Called before an image is built that is not in its registry. */
  readonly begins: () => void
}

/**
 * Takes an image from its registry, or builds it and pushes it there.
 * @returns which step has failed, and its exit code; null if the image is in the registry
 */
export async function provideImage(
  state: TreeState,
  sources: ImageSources,
  { builder, log, ending, begins }: Building,
): Promise<{ readonly step: 'build' | 'push'; readonly code: number } | null> {
  const { image, dockerfile, files } = sources
  mkdirSync(dirname(log), { recursive: true })
  writeFileSync(log, '')
  const run = async (words: readonly string[]) => {
    const appending = ['sh', '-c', 'exec >>"$1" 2>&1 </dev/null; shift; exec "$@"', 'sh', log, ...words]
    const { code } = await runHere(appending, { cwd: dirname(log), ending })
    ending.throwIfAborted()
    return code
  }
  // The reason is in the log, as of an expired login; the push will tell it again.
  if ((await run(pullWords(builder, image))) === 0) return null
  begins()
  return inTemporaryFolder(async temporary => {
    const [file, folder] = [join(temporary, 'Dockerfile'), join(temporary, 'files')]
    mkdirSync(folder)
    writeFileSync(file, dockerfile)
    await writeFiles(state, files, join(temporary, 'index'), folder)
    const built = await run(buildWords(builder, image, file, folder))
    if (built !== 0) return { step: 'build', code: built }
    const pushed = await run(pushWords(builder, image))
    return pushed === 0 ? null : { step: 'push', code: pushed }
  })
}
