import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lacksMounts, skips } from '../../skips.js'
import { expectError } from '../expectations.js'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { Folder, groups, projectWith, until } from '../project.js'

/** From now on, nothing can be written in a project. */
function freeze({ path }: Folder): void {
  execFileSync('mount', ['--bind', path, path])
  onTestFinished(() => void execFileSync('umount', ['--lazy', path]))
  execFileSync('mount', ['-o', 'remount,ro,bind', path, path])
}

const warning = expect.stringMatching(/^Warning: .*database\.db cannot be written: new metrics are read .*left out\n$/)

/** A project whose experiment says which metric is the best. */
async function bestProject(): Promise<Folder> {
  const folder = await projectWith(script)
  folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  return folder
}

const script = 'echo \'{"acc": 0.5}\' >"$QANAT_STORAGE_PATH/metrics.json"'

describe.skipIf(skips('a project that cannot be written', lacksMounts()))('in a project that cannot be written', () => {
  test('what has been taken in can be asked for, and new metrics are read each time, with one word', async () => {
    const folder = await bestProject()
    await folder.qanat('run', 'it', '--seed', '1')
    await folder.qanat('compare', 'it')
    await folder.qanat('run', 'it', '--seed', '2')
    freeze(folder)
    expect(await folder.qanat('compare', 'it', '1')).toMatchObject({ stderr: '', code: 0 })
    const rows = { stdout: 'run,acc\n1,0.5\n2,0.5\n', stderr: warning, code: 0 }
    expect(await folder.qanat('sql', 'select run, acc from it', '--csv')).toEqual(rows)
    expect(await folder.qanat('sql', 'select run, value as acc from metrics order by run', '--csv')).toEqual(rows)
    const there = new Folder()
    await folder.qanat('collect', 'it', '-o', `${there.path}/t.csv`)
    expect(there.read('t.csv').match(/,0\.5$/gm)).toHaveLength(2)
    for (const line of ['compare it', 'groups it', 'diff 1 2', 'runs', 'experiment status it', 'run_show 2']) {
      const { stdout, stderr, code } = await folder.qanat(...line.split(' '))
      expect([line, code, stderr]).toEqual([line, 0, warning])
      expect([line, stdout.replaceAll('acc 0.5', '0.5')]).toEqual([line, expect.stringMatching(/^[^–]*0\.5[^–]*$/)])
    }
  })

  test('definitions are those of now, and completed, without an index of them', async () => {
    const folder = await projectWith(script)
    folder.write('it.yaml', `${folder.read('it.yaml')}tags: [new]\n`)
    folder.write('.qanat/definitions/experiment/that.yaml', 'name: that\nexecutable: it.sh\n')
    freeze(folder)
    const { stdout } = await folder.qanat('experiment', 'list', '--csv')
    expect(stdout).toBe('id,name,path,runs,tags,description\n1,it,,0,new,\n2,that,,0,,\n')
    expect((await folder.qanat('completion', 'complete', '--', 'run', '')).stdout).toContain('that')
  })

  test('lists show live runs as they were known last', async () => {
    const folder = await bestProject()
    await folder.qanat('run', '--detach', 'it')
    await until(() => folder.has('results/it/run_1/metrics.json'))
    freeze(folder)
    for (const line of ['runs', 'experiment status it', 'run_show 1', 'why 1', 'status'])
      expect([line, await folder.qanat(...line.split(' '))]).toMatchObject([line, { stderr: warning, code: 0 }])
  })

  test('whatever writes names what cannot be written, and why', async () => {
    const folder = await projectWith(`${script}; [ "$1" = clean ] || echo >left`)
    await folder.qanat('run', 'it', ...groups('a', 'b'))
    // What lies in a frozen copy would be moved to the run that has left it, before the next one.
    await folder.qanat('run', 'it', ...groups('clean', 'clean'))
    folder.write(`.qanat/cache/${folder.copies()[0]}/left`, '')
    folder.write('part.yaml', 'tags: [new]\n')
    freeze(folder)
    const [place, permissions] = ['another place', 'permissions']
    for (const [line, cannot, hint] of [
      ...['run it', 'run it -g a -g b', 'rerun 1', 'rerun 2 --verify', 'run_retry 1', 'run_tag 1 +a'].map(
        line => [line, '.qanat/database.db cannot be written', 'whether its file system is read-only'] as const,
      ),
      ['export --crate 1 -o ro.zip', `${folder.path}/ro.zip cannot be used: its file system is read-only`, place],
      ['export --crate 1 -o sub/ro', `${folder.path}/sub/ro cannot be used: its file system is read-only`, place],
      ['export --crate 1 -o /proc/x.zip', '/proc/x.zip cannot be used: nothing can be made in /proc', place],
      [
        'experiment update it -f part.yaml',
        '.qanat/database.db cannot be written',
        'whether its file system is read-only',
      ],
      ['config set poll_interval 20', '.qanat/locks/config cannot be written', permissions],
      ['run_comment 1 -m x', '.qanat/locks/comments cannot be written', permissions],
      ['collect it -o t.csv', 't.csv cannot be used: its file system is read-only', permissions],
      ['collect it -o t.sqlite', 't.sqlite cannot be used: its file system is read-only', permissions],
    ] as const) {
      const outcome = await folder.qanat(...line.split(' '))
      expectError(outcome, 1, cannot, hint)
      expect([line, outcome.stderr]).not.toEqual([line, expect.stringMatching(/EROFS|ENOENT|\.new|\.tmp/)])
    }
  })
})

test('a project whose owner has not shared it says so, and how it is shared', async () => {
  const folder = await projectWith(script)
  await folder.qanat('run', 'it')
  const database = join(folder.path, '.qanat/database.db')
  chmodSync(folder.path, 0o755)
  chmodSync(database, 0)
  for (const line of ['runs', 'compare it', 'run it']) {
    const outcome = await qanatAsOrdinaryUser(folder, '.', ...line.split(' '))
    expectError(outcome, 1, `${database} cannot be read: its owner has not shared it`, `chmod g+r ${database}`)
  }
  chmodSync(database, 0o444)
  expect(await qanatAsOrdinaryUser(folder, '.', 'compare', 'it', '--csv')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0.5'),
    stderr: warning,
  })
})

test('a group that cannot be read now keeps what was read, with a warning, and is read once it can be', async () => {
  const leaves = 'echo "{\\"acc\\": 0.5$2}" >metrics.json; echo a >history.csv'
  const folder = await projectWith(`cd "$QANAT_STORAGE_PATH"; ${leaves}\n`)
  await folder.qanat('run', 'it', '-R', '--seed 1 3 1')
  const { uid, gid } = ordinaryUser
  // Root is not held back by permissions. Links lead out of the project, and are not followed.
  if (process.getuid!() === 0) execFileSync('chown', ['-hR', `${uid}:${gid}`, folder.path])
  const group = join(folder.path, 'results/it/run_1/group_0')
  const qanat = (...words: string[]) => qanatAsOrdinaryUser(folder, '.', ...words)
  const compared = async () => {
    const { stdout, stderr } = await qanat('compare', 'it', '--json')
    return [JSON.parse(stdout).cells.map(({ metrics }: any) => metrics.acc?.mean), stderr]
  }
  const why = 'metrics of 1 group cannot be read now: permission denied, as in results/it/run_1/group_0'
  const unread = `Warning: ${why}; the next command tries again\n`
  for (const mode of [0o000, 0o444]) {
    chmodSync(group, mode)
    expect(await compared()).toEqual([[undefined, 0.52], unread])
  }
  const { stderr } = await qanat('collect', 'it', '--files', 'history.csv', '-o', 't.csv')
  expect(stderr).toBe('Warning: history.csv: the folder cannot be read now: permission denied (group 1.0)\n')
  chmodSync(group, 0o755)
  expect(await compared()).toEqual([[0.51, 0.52], ''])

  chmodSync(group, 0o000)
  expect(await compared()).toEqual([[0.51, 0.52], ''])
  folder.write('it.yaml', `${folder.read('it.yaml')}metrics: [other.json, metrics.json]\n`)
  expect(await compared()).toEqual([[0.51, 0.52], unread])
  const shown = (await qanat('run_show', '1')).stdout
  expect(shown).toContain('its folder could not be read again, and its metrics are those that were read before')
  expect(shown).not.toContain('other.json is missing (group 0')
  chmodSync(group, 0o755)
  writeFileSync(join(group, 'other.json'), '{"acc": 3}')
  expect(await compared()).toEqual([[3, 0.52], ''])
})
