import { madeOnce } from '../made-once.js'
import { type Folder, groups, shellProject } from '../project.js'
import { Screen } from '../screen.js'

export const plain = { PAGER: 'cat', NO_COLOR: '1' }

/** Run 1 of `acting` has two groups, and run 2 has failed. */
export const withRuns = madeOnce(async () => {
  const folder = await shellProject(plain)
  const actions = '[{name: say, executable: say.sh, executable_command: sh}]'
  folder.write('acting.yaml', `name: acting\nexecutable: it.sh\nexecutable_command: sh\nactions: ${actions}\n`)
  folder.write('say.sh', 'echo "said $1 $2 $QANAT_GROUP_INDEX"\n')
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'acting.yaml')
  const codes = groups('echo one; echo oops >&2', 'echo two')
  await folder.qanat('run', '--tag', 'paper', '--description', 'the first', 'acting', ...codes)
  await folder.qanat('run', 'acting', 'echo trouble >&2; exit 3', '--lr', '0.1')
  return folder
})

/** The feet of a page that was opened from another one, and of the first one. */
export const [back, leave] = ['q: back', 'q: leave']
/** What a pager that ends at once leaves. */
export const shown = '[Enter: back]'

/** Opens the explorer, which takes some words, and waits until these texts can be seen. */
export async function explore(
  folder: Folder,
  words: string,
  texts = [leave],
  size?: [number, number],
): Promise<Screen> {
  const screen = new Screen(folder, `qanat run_explore ${words}`, size)
  await screen.shows(...texts)
  return screen
}
