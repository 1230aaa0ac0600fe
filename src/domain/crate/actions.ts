import { type ActionRecord, othersChanged } from '../action-record.js'
import { totalOf } from '../runs/aggregate.js'
import { groupFolder } from '../runs/run-plan.js'
import { fewInSentence } from '../text/names.js'
import { displayCommand } from '../text/shell-text.js'
import { type CrateContent, crateId, type Entity, isIn, iso, personId, statusOf } from './entities.js'

/** The actions of the experiment that were called on the run. */
export function actionsOf(content: CrateContent): Entity[] {
  const { actions, files, nameOf } = content
  const contents = new Map(files.map(({ name, sha256 }) => [name, `sha256:${sha256}`]))
  return actions.map(action => ({
    ...{ '@id': `#action-${action.id}`, '@type': 'CreateAction', name: `Action ${action.action}` },
    description: [displayCommand(action.command), treeText(action), othersText(content, action)].join(''),
    instrument: { '@id': scriptId(action) },
    agent: { '@id': personId(action.user) },
    startTime: iso(action.started),
    endTime: action.finished === null ? null : iso(action.finished),
    object: objectsOf(content, action).map(name => ({ '@id': `${name}/` })),
    // Another action, or somebody, may have written something else there since.
    result: action.made.flatMap(({ path, change, digest }) => {
      const name = change === 'removed' ? null : nameOf(path)
      return name === null || (digest !== null && digest !== contents.get(name)) ? [] : [{ '@id': crateId(name) }]
    }),
    actionStatus: statusOf(action.exitCode === 0),
    error: errorOf(action),
  }))
}

/** In which tree an action was called; empty if it is not known. */
function treeText({ tree }: ActionRecord): string {
  if (tree === null) return ''
  return `. Called at commit ${[tree.commit, othersChanged(tree)].filter(text => text !== null).join(', ')}`
}

/** Which other runs an action worked on; empty without any. */
function othersText({ token }: CrateContent, { runs }: ActionRecord): string {
  const others = runs.filter(each => each.token !== token).map(({ id }) => String(id))
  if (others.length === 0) return ''
  return `. It also worked on run${others.length === 1 ? '' : 's'} ${fewInSentence(others)}, not in this crate`
}

function errorOf({ exitCode, finished }: ActionRecord): string | null {
  if (exitCode === null) return finished === null ? 'its end is not known' : 'it was interrupted'
  return exitCode === 0 ? null : `code ${exitCode}`
}

/** The folders in the crate on which an action worked: of groups that have left files, or of the whole run. */
export function objectsOf({ run, token, folder, files }: CrateContent, action: ActionRecord): string[] {
  const groups = action.runs.find(each => each.token === token)?.groups ?? []
  const folders = groups.map(group => groupFolder(folder, totalOf(run.counts), group))
  const there = folders.filter(name => name === folder || files.some(isIn(name)))
  return there.length > 0 ? there : [folder]
}

export const actionReference = ({ id }: ActionRecord) => ({ '@id': `#action-${id}` })
export const scriptId = ({ script }: ActionRecord) =>
  `#script-${encodeURIComponent(`${script.path}@${script.content ?? script.commit}`)}`
