import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ordinaryUser, qanatAsOrdinaryUser } from '../ordinary-user.js'
import { Folder, groups, shellProject } from '../project.js'

describe('the surroundings of the script', () => {
  test.each(['../out.sh', 'link.sh', 'ignored.sh'])(
    'one warning names an executable that the commit does not contain: %s',
    async executable => {
      const parent = new Folder()
      parent.write('out.sh', 'exit 3\n')
      const project = await shellProject()
      const study = join(parent.path, 'study')
      renameSync(project.path, study)
      parent.write('study/.gitignore', '/results\n/data\n')
      parent.write('study/data/it.sh', 'exit 3\n')
      symlinkSync('../out.sh', join(study, 'link.sh'))
      symlinkSync('data/it.sh', join(study, 'ignored.sh'))
      const read = executable === 'ignored.sh' ? 'study/data/it.sh' : 'out.sh'
      parent.write('study/other.yaml', `name: other\nexecutable: ${executable}\nexecutable_command: sh\n`)
      await parent.qanatIn('study', 'experiment', 'new', '-f', 'other.yaml')
      await parent.shell('cd study && git add --all && git commit --quiet --message All')
      const told = `the code of the executable ${executable} is not recorded: it is ${parent.path}/${read}, `
      expect((await parent.qanatIn('study', 'run', 'other')).stderr.split(told)).toHaveLength(2)
      expect((await parent.qanatIn('study', 'run', '--snapshot', 'always', 'other')).stderr).toContain(told)
      const warnings = () => parent.read('study/results/other/run_1/.run/warnings.txt')
      const kept = warnings()
      expect(kept).toMatch(/ \(at the launch sha256:[0-9a-f]{64}\)\n$/)
      await parent.qanatIn('study', 'run_retry', '1')
      expect(warnings()).toBe(kept)
      parent.write(read, 'true\n')
      expect(await parent.qanatIn('study', 'run_retry', '1')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(told),
      })
      const [first, second] = warnings().split('\n')
      expect([`${first}\n`, second]).toEqual([kept, expect.stringContaining(told)])
      expect(second).not.toBe(first)
    },
  )

  test('a large executable that the commit does not contain is recorded by its size and its time, without a hash', async () => {
    const project = await shellProject()
    const outside = new Folder()
    outside.write('tool', '')
    truncateSync(join(outside.path, 'tool'), 200_000_001)
    utimesSync(join(outside.path, 'tool'), 1_700_000_000, 1_700_000_000)
    project.write('other.yaml', `name: other\nexecutable: ${outside.path}/tool\nexecutable_command: 'true'\n`)
    project.commit()
    await project.qanat('experiment', 'new', '-f', 'other.yaml')
    const { code, stderr } = await project.qanat('run', 'other')
    expect(code).toBe(0)
    expect(stderr).toContain(
      '(at the launch 200000001 bytes, last changed 2023-11-14T22:13:20.000Z, too large for a hash)',
    )
  })

  test('a folder above the project that nobody may list only costs ../NAME, and the launch says what to type', async () => {
    const { path } = await shellProject()
    const folder = new Folder()
    folder.write('data/x', 'beside\n')
    cpSync(path, join(folder.path, 'study'), { recursive: true })
    if (process.getuid!() === 0) {
      const entries = ['', ...(readdirSync(join(folder.path, 'study'), { recursive: true }) as string[])]
      for (const entry of entries) chownSync(join(folder.path, 'study', entry), ordinaryUser.uid, ordinaryUser.gid)
    }
    const run = (file: string) => {
      return qanatAsOrdinaryUser(folder, 'study', 'run', 'it', 'cat "$2"', file, '-R', '--seed 0 2 1')
    }
    chmodSync(folder.path, 0o311)
    const outcomes = [await run('../data/x'), await run(`${folder.path}/data/x`)]
    chmodSync(folder.path, 0o711)
    const told = `type the absolute ones instead: ../data/x → ${folder.path}/data/x\n`
    expect(outcomes[0]).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
    expect(outcomes[1]).toMatchObject({ code: 0, stderr: '' })
    expect(folder.read('study/results/it/run_2/group_1/stdout.txt')).toBe('beside\n')
  })

  test('the folder of the project may have any name', async () => {
    const folder = new Folder()
    const name = `it's a "pro$ject" $(touch x) é*[1]\\ `
    mkdirSync(join(folder.path, name))
    const source = await shellProject()
    cpSync(source.path, join(folder.path, name), { recursive: true })
    folder.write(join(name, 'new.txt'), 'untracked')
    const words = groups('echo "$QANAT_PROJECT"; cat new.txt', 'true')
    const { code, stderr } = await folder.qanatIn(name, 'run', '--allow_dirty', 'it', ...words)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(folder.read(join(name, 'results/it/run_1/group_0/stdout.txt'))).toBe(`${folder.path}/${name}\nuntracked`)
  })
})
