import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksSshd, Sshd } from '../../sites/sshd.js'
import { skips } from '../../skips.js'
import { type Folder, projectWith } from '../project.js'

/** Prints what the code has. */
const looks = `for each in sub/one.txt sub/deep/two.txt left/out.txt; do printf '%s: ' "$each"; cat "$each"; done
wc -c <a.bin; wc -c <sub/b.bin; command -v git >/dev/null && echo with git; :
`

const found = (last: string) => `sub/one.txt: one
sub/deep/two.txt: two
left/out.txt: archived all the same
5000
7000
${last}`

describe.skipIf(skips('code in contexts', lacksSshd()))('code in a context', () => {
  let sshd: Sshd
  beforeAll(() => {
    sshd = new Sshd()
  })
  afterAll(() => sshd.end())

  /** A project with submodules, one in the other, with files of Git LFS in both, and with files that archives leave out. */
  async function nested(): Promise<{ folder: Folder; root: string }> {
    const folder = await projectWith(looks)
    const home = mkdtempSync(join(sshd.folder, 'home-'))
    const root = join(home, 'root')
    Object.assign(folder.environment, sshd.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
    const { code, stderr } = await folder.shell(`set -e
commit() { git add --all; git commit --quiet --message "$1"; }
git() { command git -c protocol.file.allow=always "$@"; }
for each in deep sub; do
  git init --quiet '${home}'/$each; cd '${home}'/$each; git config user.name x; git config user.email x@example.org
  [ $each = deep ] || git submodule --quiet add '${home}/deep' deep
  [ $each = sub ] && echo one >one.txt || echo two >two.txt
  if [ $each = sub ]; then git lfs install --local >/dev/null; git lfs track '*.bin' >/dev/null; head -c 7000 /dev/zero >b.bin; fi
  commit $each; cd - >/dev/null
done
git lfs install --local >/dev/null; git lfs track '*.bin' >/dev/null
mkdir left; echo archived all the same >left/out.txt; echo 'left export-ignore' >>.gitattributes
head -c 5000 /dev/zero >a.bin
git submodule --quiet add '${home}/sub' sub; git submodule --quiet update --init --recursive
( cd sub; git lfs install --local >/dev/null; git lfs pull )
commit nested
qanat context add box --host box --root '${root}'; qanat context login box`)
    expect([code, stderr]).toEqual([0, ''])
    return { folder, root }
  }

  const launch = async (folder: Folder, id: number, ...words: string[]) => {
    expect(await folder.qanat('run', '--context', 'box', '--wait', ...words, 'it')).toMatchObject({ code: 0 })
    return folder.read(`results/it/run_${id}/stdout.txt`)
  }

  test('has submodules and the data of Git LFS, also at older commits, and is restored', async () => {
    const { folder, root } = await nested()
    expect(await launch(folder, 1)).toBe(found('with git\n'))
    // The commit that is checked out has other data by now.
    await folder.shell('head -c 10 /dev/zero >a.bin; git add --all; git commit --quiet --message other')
    expect(await launch(folder, 2)).toBe(found('with git\n').replace('5000', '10'))
    execFileSync('sh', [
      '-c',
      'for each in "$1"/*/.qanat/cache/*@box; do rm -r "$each/sub" "$each/a.bin"; done',
      'sh',
      root,
    ])
    expect(await launch(folder, 3, '--commit_sha', 'HEAD~1')).toBe(found('with git\n'))
    // Nothing of it is in the repository of the user.
    expect((await folder.shell('git for-each-ref | grep -c whole; git status --porcelain')).stdout).toBe('0\n')
    rmSync(join(folder.path, '.git/lfs'), { recursive: true })
    const refused = await folder.qanat('run', '--context', 'box', '--commit_sha', 'HEAD~1', 'it')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('pointers of Git LFS instead of data')])
  })

  test('comes as an archive where git is missing', async () => {
    const { folder, root } = await nested()
    const tools = join(root, '../tools')
    mkdirSync(tools)
    for (const each of ['/usr/bin', '/bin'].flatMap(from => readdirSync(from).map(name => join(from, name)))) {
      const place = join(tools, each.split('/').at(-1)!)
      if (!/\/git[^/]*$/.test(each) && !existsSync(place)) symlinkSync(each, place)
    }
    sshd.says(`PATH=${tools}\n`)
    expect(await launch(folder, 1)).toBe(found(''))
    folder.write('it.sh', 'echo changed\n')
    expect(await launch(folder, 2, '--allow_dirty')).toBe('changed\n')
    expect(await launch(folder, 3, '--commit_sha', 'HEAD')).toBe(found(''))
    sshd.says('')
  })
})
