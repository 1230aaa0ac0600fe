import { fewOf } from '../../domain/text/names.js'
import { refuseOthersFolder, tryResults } from '../../project/result-folder.js'
import { type Presence, presenceOf } from '../../runfolder/files/presence.js'
import { absolutePath, readFolder, resultFolder, storedPath, type Workspace } from '../workspace.js'
import { type Finding, failure } from './finding.js'
import { runFolders, withFormerNames } from './rebuild-runs.js'

/** Looks at the result folder, and compares the database with the folders of the runs. */
export function resultFindings(workspace: Workspace): Finding[] {
  try {
    refuseOthersFolder(workspace.project.root, resultFolder(workspace))
  } catch (error) {
    return [failure('results', error)]
  }
  return [resultFinding(workspace), ...runFindings(workspace)]
}

function resultFinding(workspace: Workspace): Finding {
  const folder = resultFolder(workspace)
  const name = storedPath(workspace, folder)
  try {
    const isReady = tryResults(folder)
    if (isReady === null) return { name: 'results', state: 'ok', text: `${name} will be made by the first run` }
    if (isReady) return { name: 'results', state: 'ok', text: `${name} can be written` }
    return { name: 'results', state: 'error', text: `${name} is not a folder`, hint: 'qanat config show' }
  } catch (error) {
    return failure('results', error)
  }
}

/** Compares the database with the folders of the runs. */
function runFindings(workspace: Workspace): Finding[] {
  const { store } = workspace
  const places = store.runs.places()
  const folders = runFolders(workspace)
  const tokens = new Set(places.map(place => place.token))
  const taken = new Set(places.map(place => absolutePath(workspace, place.storagePath)))
  const absent = (state: Presence) =>
    places.filter(place => !place.deleted && presenceOf(readFolder(workspace, place)) === state).map(({ id }) => id)
  const [gone, notFetched] = [absent('gone'), absent('not fetched')]
  const lost = folders.filter(({ recorded }) => recorded && !tokens.has(recorded.launch.token))
  const silent = folders.filter(({ folder, recorded }) => recorded === null && taken.has(folder))
  const former = withFormerNames(workspace, folders)
  const foreign = folders.filter(({ folder, recorded }) => recorded === null && !taken.has(folder))
  const repairs = 'qanat doctor --repair'
  const list = (ids: readonly (number | string)[]) => fewOf(ids.map(String))
  const found: (Finding | false)[] = [
    lost.length > 0 && problem('error', `not in the database: ${list(lost.map(({ folder }) => folder))}`, repairs),
    gone.length > 0 &&
      problem(
        'warning',
        `the folder is missing: run ${list(gone)}`,
        `${repairs} finds folders that were moved inside the result folder`,
      ),
    silent.length > 0 &&
      problem(
        'warning',
        `.run/run.yaml is missing, damaged, or private to its owner: ${list(silent.map(({ folder }) => folder))}`,
        repairs,
      ),
    former.length > 0 &&
      problem(
        'warning',
        `.run/run.yaml has a former name of the experiment: ${list(former.map(({ folder }) => folder))}`,
        repairs,
      ),
    foreign.length > 0 &&
      problem(
        'warning',
        `no run.yaml, and no run in the database: ${list(foreign.map(({ folder }) => folder))}`,
        'these folders are left alone; new runs get other ids',
      ),
  ]
  const problems = found.filter(finding => finding !== false)
  const whole: Finding = { name: 'runs', state: 'ok', text: 'every run has its folder, and every folder its run' }
  const elsewhere: Finding = { name: 'runs', state: 'ok', text: `the folder is not fetched: run ${list(notFetched)}` }
  return [...(problems.length > 0 ? problems : [whole]), ...(notFetched.length > 0 ? [elsewhere] : [])]
}

function problem(state: 'warning' | 'error', text: string, hint: string): Finding {
  return { name: 'runs', state, text, hint }
}
