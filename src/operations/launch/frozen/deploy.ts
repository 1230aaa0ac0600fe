import { join, relative } from 'node:path'
import { deployCode } from '../../../code/deployed.js'
import { filteredInTree } from '../../../code/frozen/filtered-files.js'
import type { FrozenCode } from '../../../code/frozen/frozen-code.js'
import type { RunCode } from '../../../code/run-code.js'
import { submodulesOf } from '../../../code/tree-state.js'
import type { JobEnvironment } from '../../../domain/job-environment.js'
import { fewOf } from '../../../domain/text/names.js'
import { displayCommand } from '../../../domain/text/shell-text.js'
import { OperationError, UserError } from '../../../errors.js'
import { cloneOf } from '../../../project/clone.js'
import type { Site } from '../../../sites/site.js'
import { configAt, type Workspace } from '../../workspace.js'

/** How long the preparation of a copy may take, in milliseconds. */
const preparationTime = 3_600_000

/** A copy that is wanted. */
interface Wanted {
  /** Of the template, for the preparation. */
  readonly environment: JobEnvironment
  /** Where it would be here, absolute. */
  readonly folder: string
  /** Ends the preparation, also there. */
  readonly interruption: AbortSignal
}

/**
 * Provides a frozen copy of some code at another site, where nothing is shared with the tree, and prepares it once.
 */
export async function deploy(workspace: Workspace, site: Site, code: RunCode, wanted: Wanted): Promise<FrozenCode> {
  const { project, here } = workspace
  const { folder, interruption } = wanted
  await refuseOutside(code)
  const { machine } = await here.probe()
  const owner = JSON.stringify({ clone: cloneOf(project)!.id, machine: machine.machineId })
  await deployCode(site, { root: site.there(project.root), copy: site.there(folder), owner }, code)
  const workingDirectory = join(folder, code.state.prefix)
  interruption.throwIfAborted()
  await prepareThere(workspace, site, workingDirectory, wanted)
  interruption.throwIfAborted()
  return { folder: relative(project.root, folder), workingDirectory, links: [] }
}

/** @throws UserError if git alone does not have all of the code */
async function refuseOutside({ state }: RunCode): Promise<void> {
  const [submodules, filtered] = await Promise.all([submodulesOf(state.gitRoot), filteredInTree(state)])
  const [submodule] = submodules
  if (!submodule && filtered.length === 0) return
  const what = submodule ? `submodules (${submodule.path})` : `files of Git LFS or git-annex (${fewOf(filtered)})`
  throw new UserError(`the repository has ${what}, which no context can have yet`, 'run it here: --context here')
}

/** Runs the commands under `prepare` in a copy, unless they have run there. Their output is in a file beside it. */
async function prepareThere(
  workspace: Workspace,
  site: Site,
  cwd: string,
  { folder, environment: { env }, interruption }: Wanted,
): Promise<void> {
  const { prepare } = configAt(workspace, site)
  if (prepare.length === 0) return
  const key = JSON.stringify(prepare)
  const record = site.there(`${folder}.prepared`)
  const words = [record, key, ...prepare]
  const { stdout, exitCode } = await site.run(['sh', '-c', preparing, 'sh', ...words], {
    cwd,
    environment: { set: env },
    timeout: preparationTime,
    ending: interruption,
  })
  if (exitCode === 0) {
    if (stdout !== '')
      for (const command of prepare) workspace.note(`Prepared the frozen copy on ${site.name}: ${command}`)
    return
  }
  throw new OperationError(
    `the frozen copy on ${site.name} could not be prepared (exit ${exitCode}), and nothing was launched:\n${stdout
      .split('\n')
      .map(line => `  ${line}`)
      .join('\n')}`,
    `${displayCommand(['ssh', site.name, 'cat', `${record}.log`])}        shows the whole output`,
  )
}

const preparing = `record=$1 key=$2
shift 2
[ "$(cat -- "$record" 2>/dev/null)" != "$key" ] || exit 0
: >"$record.log"
for command; do
  sh -c "$command" >>"$record.log" 2>&1 </dev/null || { code=$?; tail -n 20 -- "$record.log"; exit "$code"; }
done
printf '%s' "$key" >"$record"
echo prepared`
