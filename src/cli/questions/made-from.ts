import { usualIgnores } from '../../domain/code-used.js'
import { type Experiment, type Manifest, manifests, usualManifest } from '../../domain/experiment.js'
import { checkPattern } from '../../project/experiment-description.js'
import { confirm } from '../prompts.js'
import { askForLine, askForList, chooseOne } from './ask.js'

type MadeFrom = Pick<Experiment, 'uses' | 'ignores' | 'manifest'>

/** Asks what counts as code of an experiment and what is kept of its outputs, if the user wants to say it: few need to. */
export async function askForMadeFrom({
  uses = [],
  ignores = null,
  manifest = usualManifest,
}: Partial<MadeFrom>): Promise<MadeFrom> {
  const isWanted = await confirm('Say which files count as its code, and whether outputs are hashed?', false)
  if (!isWanted) return { uses, ignores, manifest }
  const using = await askForPatterns('Files that its code uses (none: all that git tracks)', uses)
  const ignoring = await askForPatterns('Files that do not count', ignores ?? usualIgnores)
  return {
    uses: using,
    ignores: ignoring.join('\n') === usualIgnores.join('\n') ? null : ignoring,
    manifest: await chooseOne(
      'What is kept of the files that its groups leave',
      manifests.map(value => ({ name: `${value}: ${kept[value]}`, value })),
      manifest,
    ),
  }
}

const kept: Readonly<Record<Manifest, string>> = { size: 'their sizes and times', hash: 'a hash of each besides' }

async function askForPatterns(many: string, known: readonly string[]): Promise<string[]> {
  const patterns = await askForList<string>(
    {
      one: 'a pattern',
      many,
      nameOf: pattern => pattern,
      ask: pattern =>
        askForLine({ message: 'Pattern, as in .gitignore', known: pattern ?? undefined, check: checkPattern }),
    },
    known,
  )
  return [...new Set(patterns)]
}
