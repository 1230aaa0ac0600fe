import { madeOnce } from '../made-once.js'
import { groups, shellProject } from '../project.js'

/** An experiment `acting` with an action `plot`, which shows its arguments, and one without a script; run 1 has two groups. */
export const withAction = madeOnce(async () => {
  const folder = await shellProject()
  folder.write('plot.sh', `printf '<%s>' "$@"; echo " $QANAT_RUN_ID \${QANAT_GROUP_INDEX:-whole}"; [ "$1" != fail ]\n`)
  folder.write(
    'acting.yaml',
    `name: acting
executable: it.sh
executable_command: sh
actions:
  - plot: {name: plot, description: draws, executable: plot.sh, executable_command: sh -u}
  - gone: {name: gone, description: '', executable: gone.sh, executable_command: sh}
`,
  )
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'acting.yaml')
  await folder.qanat('run', 'acting', ...groups('true', 'true'))
  return folder
})
