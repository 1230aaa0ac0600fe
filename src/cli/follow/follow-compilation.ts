import { join } from 'node:path'
import type { StoredDocument } from '../../domain/documents/document.js'
import { fewInSentence } from '../../domain/text/names.js'
import { splitWords } from '../../domain/text/words.js'
import { InterruptedError } from '../../errors.js'
import { compileDocument } from '../../operations/documents/compile-document.js'
import { openRuns, refreshRuns } from '../../operations/refresh/refresh-runs.js'
import { findDocument } from '../../operations/registry/find-experiment.js'
import type { Workspace } from '../../operations/workspace.js'
import { styleOf } from '../../views/format/style.js'
import { dependencyTable } from '../../views/registry/document.js'
import type { Output } from '../output.js'
import { makeProduct } from '../results/make-product.js'
import { followLaunch } from './follow-launch.js'
import { awaitRun } from './follow-run.js'
import { Interruption } from './interruption.js'

/**
 * Compiles a document and reports each step: what it found, the runs that it launches or waits for, what it copied.
 * @param options arguments for its script, quoted as for a shell
 * @param force whether all runs are launched anew
 */
export async function followCompilation(
  workspace: Workspace,
  { name }: StoredDocument,
  options: string,
  force: boolean,
  output: Output,
  version: string,
): Promise<StoredDocument> {
  const words = splitWords(options)
  const { say } = output
  const interruption = new Interruption(new InterruptedError('interrupted; the document is not compiled'))
  try {
    await refreshRuns(workspace, openRuns(workspace))
    const document = findDocument(workspace, name)
    await compileDocument(workspace, document, words, {
      found: statuses => {
        if (statuses.length > 0) say(`${dependencyTable(styleOf(process.stdout), statuses)}\n`)
        if (!force && statuses.length > 0 && statuses.every(({ state }) => state === 'up to date'))
          say('Nothing to launch: all that the document depends on is up to date')
      },
      follow: (run, isNew) => {
        if (isNew) return followLaunch(workspace, { run }, { wait: true }, interruption, output)
        say(`Waiting for run ${run.id} of ${run.experiment}, which is ${run.status}`)
        return awaitRun(workspace, run, interruption.signal)
      },
      exported: (runs, files) => {
        if (files.length === 0) return
        const paths = files.map(file => join(document.path, file))
        const ids = fewInSentence(runs.map(({ id }) => String(id)))
        say(`Exported from run${runs.length === 1 ? '' : 's'} ${ids} of ${runs[0]!.experiment}: ${paths.join(', ')}`)
      },
      make: (product, experiment, runs, path) => makeProduct(workspace, product, experiment, runs, path, version),
      force,
      interruption: interruption.signal,
      output: output.scriptOutput,
    })
  } finally {
    interruption.close()
  }
  return findDocument(workspace, name)
}
