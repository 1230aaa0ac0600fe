import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { groups, shellProject } from '../project.js'

const script = `printf '<%s>' "$@"; echo " $QANAT_RUN_ID \${QANAT_GROUP_INDEX:-whole}"; [ "$1" != fail ]\n`

const withAction = madeOnce(async () => {
  const folder = await shellProject()
  folder.write('plot.sh', script)
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

describe('an action', () => {
  test('gets its arguments byte for byte and the folder of the run, or of a group', async () => {
    const folder = await withAction()
    const run = `${folder.path}/results/acting/run_1`
    const words = ['a b', '$(id)', '', '--x=*']
    const whole = await folder.qanat('action', 'acting', 'plot', '1', ...words)
    expect([whole.code, whole.stderr]).toEqual([0, ''])
    expect(whole.stdout).toBe(`<a b><$(id)><><--x=*><--storage_path><${run}> 1 whole\n`)
    expect((await folder.qanat('action', 'acting', 'plot', '1', '--help')).stdout).toContain('<--help>')
    const group = await folder.qanat('action', 'acting', 'plot', '1', '--group_no', '1', '--', '--group_no')
    expect(group.stdout).toBe(`<--group_no><--storage_path><${run}/group_1> 1 1\n`)
  })

  test('shows how its script differs from that of the run', async () => {
    const folder = await withAction()
    folder.write('plot.sh', `echo new\n${script}`)
    const { code, stdout, stderr } = await folder.qanat('action', 'acting', 'plot', '1')
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'new'])
    expect(stderr).toContain('the script has changed since the commit of the run')
    expect(stderr).toContain('+echo new')
  })

  test('that fails, does not exist, or has no script is an error that says so', async () => {
    const folder = await withAction()
    expect(await folder.qanat('action', 'acting', 'plot', '1', 'fail')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('the action plot ended with code 1') },
    })
    const errors = [
      [['plott', '1'], "no action 'plott'. Did you mean plot?"],
      [['gone', '1'], 'the script of the action gone does not exist: gone.sh'],
      [['plot', '9'], "no run '9'"],
      [['plot', '1', '--group_no', '7'], 'its groups are 0 to 1'],
      [['plot', '1', '--group_no', 'x'], 'expected the number of a group'],
      [['--fast', 'plot', '1'], 'unknown option --fast'],
    ] as const
    for (const [words, message] of errors) {
      const { code, stderr } = await folder.qanat('action', 'acting', ...words)
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })
})
