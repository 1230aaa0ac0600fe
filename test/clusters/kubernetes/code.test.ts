import { describe, expect, test } from 'vitest'
import { Folder } from '../../e2e/project.js'
import { image, noCluster, podProject, withDesk } from './project.js'

describe.skipIf(noCluster).each([
  ['a claim', withDesk()],
  ['no claim', withDesk(null, 'log')],
])('with %s', (_, desk) => {
  test('submodules and the data of Git LFS come along', async () => {
    const it = await podProject(
      desk(),
      'cat library/inside.txt; wc -c <data.bin\n',
      `kubernetes: {default: {${image}}}\n`,
    )
    const library = new Folder()
    library.git('init', '--quiet')
    library.write('inside.txt', 'inside\n')
    library.commit()
    const { code, stderr } = await it.command(
      'sh',
      '-c',
      `set -e; git lfs install --local >/dev/null; git lfs track '*.bin' >/dev/null; head -c 5000 /dev/zero >data.bin
git -c protocol.file.allow=always submodule --quiet add "$0" library; git add --all; git commit --quiet --message more`,
      library.path,
    )
    expect([code, stderr]).toEqual([0, ''])
    const run = await it.qanat('run', '--wait', 'it')
    expect([run.code, it.read('results/it/run_1/stdout.txt')]).toEqual([0, 'inside\n5000\n'])
  })
})
