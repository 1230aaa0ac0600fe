import { describe, expect, test } from 'vitest'
import { awaits, groups, projectWith, until } from '../project.js'

/** Shell code that makes something of that name which a reader may stumble over. */
const odd: Record<string, (name: string) => string> = {
  folder: name => `mkdir ${name}`,
  'named pipe': name => `mkfifo ${name}`,
  'link to a named pipe': name => `mkfifo pipe; ln -s pipe ${name}`,
  'link to itself': name => `ln -s ${name} ${name}`,
  'link to nothing': name => `ln -s nowhere ${name}`,
  'link to a device': name => `ln -s /dev/zero ${name}`,
  'file that nobody may read': name => `echo tqdm >${name}; chmod 000 ${name}`,
  'file of 1 GB': name => `echo tqdm >${name}; truncate -s 1G ${name}`,
  'file of 1 GB that counts': name => `echo count_total=5 >${name}; truncate -s 1G ${name}`,
  'file of 1 TB that counts': name => `echo count_total=5 >${name}; truncate -s 1T ${name}`,
  'file that is no text': name => `head -c 3000000 /dev/urandom >${name}`,
}

/** Its script runs shell code in the folder of its group. */
const inFolder = () => projectWith('cd "$QANAT_STORAGE_PATH" || exit\neval "$1"\n')

describe('if a script makes odd files', () => {
  test('in the place of progress.txt, all commands work, and the run can be cancelled', async () => {
    const folder = await inFolder()
    const codes = Object.values(odd).map(make => `${make('progress.txt')}; touch made; ${awaits('never')}`)
    await folder.qanat('run', '--detach', '--n_threads', String(codes.length), 'it', ...groups(...codes))
    await until(() => codes.every((_, index) => folder.has(`results/it/run_1/group_${index}/made`)))
    for (const words of [['runs'], ['experiment', 'status', 'it'], ['run_show', 'it', '1'], ['status']]) {
      expect(await folder.qanat(...words)).toMatchObject({ code: 0, stderr: '' })
    }
    expect((await folder.show()).groups.running).toBe(codes.length)
    expect(await folder.qanat('run_cancel', 'it', '1')).toMatchObject({ code: 0 })
    expect((await folder.show()).groups.cancelled).toBe(codes.length)
  })

  test('in the place of its output, its logs and the cause of its failure are still shown', async () => {
    const folder = await inFolder()
    const makes = Object.entries(odd).filter(([what]) => !/GB|TB/.test(what))
    const codes = makes.map(
      ([, make]) => `rm stdout.txt stderr.txt; ${make('stdout.txt')}; ln stdout.txt stderr.txt; exit 3`,
    )
    await folder.qanat('run', 'it', ...groups(...codes))
    for (const words of [['why'], ['run_logs'], ['run_logs', '--stderr'], ['run_show']]) {
      expect((await folder.qanat(words[0]!, 'it', '1', ...words.slice(1))).code).toBe(0)
    }
    expect((await folder.show()).groups.failed).toBe(codes.length)
    expect((await folder.qanat('run_retry', 'it', '1')).code).toBe(1)
    expect((await folder.show()).group_list[0]).toMatchObject({ attempt: 2, cause: 'exit', exit_code: 3 })
  })

  test.each(['folder', 'named pipe', 'link to a device'])(
    'a %s in the place of its comment is not written to, and the error says what to do',
    async kind => {
      const folder = await inFolder()
      await folder.qanat('run', 'it', odd[kind]!('comment.md'))
      const { code, stderr } = await folder.qanat('run_comment', 'it', '1', '-m', 'too few steps')
      expect([code, stderr]).toEqual([2, expect.stringMatching(/comment\.md is not a file.*\n.*mv .*comment\.md/)])
    },
  )
})
