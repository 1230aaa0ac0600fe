import { dirname, join } from 'node:path'
import type { RecordedCode } from '../../code/compare.js'
import { findBuilder, provideImage } from '../../code/image/provide.js'
import { imageSources } from '../../code/image/sources.js'
import type { TreeState } from '../../code/tree-state.js'
import type { ImageBuild } from '../../domain/pods/image-build.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { OperationError } from '../../errors.js'
import { lastLines } from '../../runfolder/tails.js'
import { withProjectLock } from '../../store/locks/project-lock.js'
import { storedPath, type Workspace } from '../workspace.js'
import { jobOptions } from './job-options.js'
import type { ResolvedLaunch } from './resolve.js'

/** What has a template, as a launch or a shell. */
type Templated = Pick<ResolvedLaunch, 'runner' | 'template' | 'options'>

/** The code that has the files of an image. */
interface CodeOfImage extends RecordedCode {
  readonly state: TreeState
}

/**
 * A launch whose image is in its registry: it is built and pushed, unless it was before, and the template names it.
 * @param find called if there is an image to build
 * @throws OperationError with the end of what the builder says if it fails
 */
export async function withImage<Launch extends Templated>(
  workspace: Workspace,
  launch: Launch,
  find: () => Promise<CodeOfImage>,
  interruption: AbortSignal,
): Promise<Launch> {
  const build = buildOf(launch)
  if (build === null) return launch
  const code = await find()
  const sources = await imageSources(code.state, code, build)
  const builder = findBuilder()
  const { image } = sources
  const { project } = workspace
  const log = join(dirname(project.cacheFolder), 'images', `${image.slice(image.lastIndexOf(':') + 1)}.log`)
  const shown = storedPath(workspace, log)
  await withProjectLock(project, 'image', async () => {
    interruption.throwIfAborted()
    workspace.progress(`Asking for the image ${image}`)
    const begins = () => {
      workspace.progress(null)
      workspace.note(`Building the image ${image} with ${builder}; its output goes to ${shown}`)
    }
    const building = { builder, log, ending: interruption, begins }
    const failed = await provideImage(code.state, sources, building).finally(() => workspace.progress(null))
    if (failed === null) return
    const lines = lastLines(log, 20).map(line => `  ${line}`)
    const did = failed.step === 'build' ? 'built' : 'pushed'
    throw new OperationError(
      `the image ${image} could not be ${did} (${builder} ${failed.step}: exit ${failed.code}), and nothing was launched:\n${lines.join('\n')}`,
      `${displayCommand(['less', shown])}        shows the whole output${failed.step === 'push' ? `; '${displayCommand([builder, 'login', image.split('/')[0]!])}' logs in` : ''}`,
    )
  })
  return naming(launch, image)
}

/** @throws UserError if a launch has an image to build, and no program for that is here */
export function checkBuilder(launch: Templated): void {
  if (buildOf(launch) !== null) findBuilder()
}

/** The same as {@link withImage} for a dry run: nothing is built. */
export async function withNamedImage<Launch extends Templated>(
  launch: Launch,
  find: () => Promise<CodeOfImage>,
): Promise<Launch> {
  const build = buildOf(launch)
  if (build === null) return launch
  const code = await find()
  return naming(launch, (await imageSources(code.state, code, build)).image)
}

function buildOf({ runner, options }: Templated): ImageBuild | null {
  return runner.kind.template.build?.(options) ?? null
}

/** What is recorded has both: the image, and what it was made of. */
function naming<Launch extends Templated>(launch: Launch, image: string): Launch {
  const { name, template } = launch.template
  const named = { name, template: { ...template, image } }
  return { ...launch, template: named, options: jobOptions(launch.runner, named).options }
}
