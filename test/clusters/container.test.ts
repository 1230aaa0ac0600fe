import { beforeAll, describe, expect, test } from 'vitest'
import { startBox } from './box.js'
import { type ClusterProject, clusterProject, noBox } from './project.js'

/** Shell code that builds an image of Apptainer from a folder: a shell, what it needs, and a file that tells it. */
const build = `
mkdir -p image/bin image/lib64 image/lib/x86_64-linux-gnu image/etc image/tmp image/proc image/sys image/dev image/home
cp -L /bin/sh /bin/cat /bin/pwd image/bin/
cp -L /lib64/ld-linux-x86-64.so.2 image/lib64/
cp -L /lib/x86_64-linux-gnu/libc.so.6 image/lib/x86_64-linux-gnu/
echo 'inside the image' >image/etc/marker
apptainer --quiet build plain.sif image
mkdir -p image/.singularity.d
printf '#!/bin/sh\\necho "the runscript of the image"\\nexec "$@"\\n' >image/.singularity.d/runscript
chmod +x image/.singularity.d/runscript
apptainer --quiet build scripted.sif image
rm -rf image
`
const script = `cat /etc/marker; printf '<%s>' "$1"; echo; cat "$5/words"; pwd; echo written >"$3/made"\n`

describe.skipIf(noBox)('a container of Apptainer', () => {
  let it: ClusterProject

  beforeAll(async () => {
    startBox()
    it = await clusterProject(script)
    it.write('.git/info/exclude', '*.sif\nimage\nwords_of\n')
    it.write('words_of/words', 'of the dataset\n')
    it.write('words.yaml', 'name: words\npath: words_of\n')
    it.write('in.yaml', 'name: in\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [words]\n')
    await it.qanat('dataset', 'new', '-f', 'words.yaml')
    await it.qanat('experiment', 'new', '-f', 'in.yaml')
    await it.commit('a dataset')
    const { code, stderr } = await it.command('sh', '-ec', build)
    expect([code, stderr]).toEqual([0, expect.any(String)])
  })

  test('has the project, the run and the datasets at the same paths as outside, with every runner', async () => {
    for (const [at, runner] of ['local', 'slurm', 'htcondor'].entries()) {
      const options = ['--runner', runner, '--container', 'plain.sif', '--snapshot', 'always', '--wait']
      const run = await it.qanat('run', ...options, 'in', "it's $HOME")
      expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('INFO')])
      const folder = `results/in/run_${at + 1}`
      const seen = /^inside the image\n<it's \$HOME>\nof the dataset\n\S*\.qanat\/cache\/\S+\n$/
      expect(it.read(folder, 'stdout.txt')).toMatch(seen)
      expect(it.read(folder, 'made')).toBe('written\n')
    }
    const { runs } = await it.json('experiment', 'status', 'in', '--json')
    expect(runs[0].runner_params).toMatchObject({ container: it.path('plain.sif'), gpu: false })
    const sum = (await it.command('sha256sum', 'plain.sif')).stdout.slice(0, 64)
    expect((await it.qanat('run_show', 'in', '1')).stdout).toContain(`plain.sif (sha256:${sum})`)
  })

  test('is started with its runscript, if it has one', async () => {
    const { storage_path } = await it.json('run', '--json', '--container', 'scripted.sif', 'in', 'x')
    expect(it.read(storage_path, 'stdout.txt')).toMatch(/^the runscript of the image\ninside the image\n/)
  })

  test('that is broken is a failed launch', async () => {
    it.write('broken.sif', 'no image')
    const { id } = await it.json('run', '--json', '--container', 'broken.sif', 'in', 'x')
    const { group_list } = await it.json('run_show', 'in', String(id), '--json')
    expect(group_list).toMatchObject([{ status: 'failed', cause: 'launch' }])
  })
})
