import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { Folder, type Outcome, shellProject } from '../project.js'

const experiment = `name: acting
description: "quotes \\" and: colons"
executable: it.sh
executable_command: sh -u
tags: [a, "1"]
datasets: [words]
actions:
  - plot: {name: plot, description: draws, executable: it.sh, executable_command: sh}
`

const registered = madeOnce(async () => {
  const folder = await shellProject()
  folder.write('words.txt', '')
  folder.write('words.yaml', 'name: words\npath: words.txt\ntags: [text]\n')
  folder.write('acting.yaml', experiment)
  await folder.qanat('dataset', 'new', '-f', 'words.yaml')
  await folder.qanat('experiment', 'new', '-f', 'acting.yaml')
  return folder
})

describe('export', () => {
  test('of one definition prints a file that registers it again', async () => {
    const folder = await registered()
    const status = async () => (await folder.json('experiment', 'status', 'acting', '--json')).experiment
    const before = await status()
    const { stdout, code } = await folder.shell(`qanat experiment export acting >again.yaml &&
      qanat experiment delete acting -q --yes && qanat experiment new -q -f again.yaml &&
      qanat dataset export words >again.yaml && qanat dataset update -q words -f again.yaml`)
    expect([code, stdout, await status()]).toEqual([0, '', before])
    expect((await folder.qanat('experiment', 'export', 'acts')).code).toBe(2)
  })

  test('of all definitions gives a clone every experiment and dataset', async () => {
    const folder = await registered()
    const { stdout } = await folder.qanat('export')
    expect(stdout).toContain('.qanat/definitions/experiment/acting.yaml')
    folder.commit()
    const clone = new Folder()
    clone.git('clone', '--quiet', folder.path, 'clone')
    const init = await clone.qanatIn('clone', 'init')
    expect([init.code, init.stderr]).toEqual([0, ''])
    expect(init.stdout).toContain('Registered from .qanat/definitions: 1 dataset, 2 experiments')
    // In the clone, ids follow the order of the names.
    const listed = ({ stdout }: Outcome) => stdout.replaceAll(/"id": \d+/g, '"id"')
    for (const kind of ['experiment', 'dataset']) {
      const ofClone = await clone.qanatIn('clone', kind, 'list', '--json')
      expect(listed(ofClone)).toBe(listed(await folder.qanat(kind, 'list', '--json')))
    }
    expect((await clone.qanatIn('clone', 'run', 'acting', 'true')).code).toBe(0)
    // What a colleague has exported since then comes with git, too.
    clone.write('clone/.qanat/definitions/dataset/later.yaml', 'name: later\npath: words.txt\n')
    const { stdout: checked } = await clone.qanatIn('clone', 'doctor')
    expect(checked).toContain('.qanat/definitions/dataset/later.yaml is not registered')
    expect(checked).toContain('qanat dataset new -f .qanat/definitions/dataset/later.yaml        registers it')
  })

  test('updates outdated schemas, leaves the others alone, and adds them where there are none, tracked by git', async () => {
    const folder = await registered()
    const schema = folder.read('.qanat/schemas/dataset.json')
    folder.write('.qanat/schemas/dataset.json', '{}')
    const { written } = await folder.json('export', '--json')
    expect(written.filter((path: string) => path.endsWith('.json'))).toEqual(['.qanat/schemas/dataset.json'])
    expect(folder.read('.qanat/schemas/dataset.json')).toBe(schema)

    const tracked = folder.git('ls-files', '.qanat/schemas')
    folder.git('rm', '-r', '--quiet', '.qanat/schemas')
    folder.commit()
    expect((await folder.qanat('init')).stdout).toContain('nothing was changed')
    expect((await folder.qanat('export')).stdout).toContain('.qanat/schemas/config.json\n')
    folder.commit()
    expect(folder.git('ls-files', '.qanat/schemas')).toBe(tracked)
  })

  test('replaces its own files without a word, and keeps those that somebody has edited', async () => {
    const folder = await registered()
    const file = '.qanat/definitions/experiment/acting.yaml'
    await folder.qanat('export')
    folder.write('part.yaml', 'description: Acts\n')
    await folder.qanat('experiment', 'update', 'acting', '-f', 'part.yaml')
    expect(await folder.qanat('export')).toMatchObject({ code: 0, stderr: '' })
    expect(folder.read(file)).toContain('description: Acts\n')
    const edited = `${folder.read(file).replace('description: Acts', 'description: Acts well')}# by hand\n`
    folder.write(file, edited)
    const { code, stdout, stderr } = await folder.qanat('export')
    expect([code, folder.read(file)]).toEqual([0, edited])
    expect(stdout).not.toContain('experiment/acting.yaml')
    expect(stderr).toContain(
      `${file} differs from what is registered (description); it was edited since it was exported`,
    )
    const line = (end: string) => new RegExp(`^  (qanat|rm) (.*) {8}${end}$`, 'm').exec(stderr)!.slice(1).join(' ')
    expect((await folder.shell(line('registers what it says'))).code).toBe(0)
    // Only the comment is left of the edits, and stays.
    expect(await folder.qanat('export')).toMatchObject({ code: 0, stderr: '' })
    expect(folder.read(file)).toBe(edited)
    expect((await folder.shell(line('writes what is registered'))).code).toBe(0)
    expect(folder.read(file)).toContain('description: Acts well\n')
    // A file without the seal was written by somebody else.
    folder.write(
      file,
      folder
        .read(file)
        .replace(/^# Written.*\n/m, '')
        .replace('well', 'badly'),
    )
    expect((await folder.qanat('export')).stderr).toContain(`${file} differs from what is registered (description)`)
    expect(folder.read(file)).toContain('description: Acts badly\n')
  })

  test('names definitions of unregistered things, and a broken definition stops no other in a clone', async () => {
    const folder = await registered()
    await folder.qanat('export')
    await folder.qanat('experiment', 'delete', 'acting', '--yes')
    expect((await folder.qanat('export')).stderr).toContain('git rm .qanat/definitions/experiment/acting.yaml')
    folder.write('.qanat/definitions/experiment/acting.yaml', 'name: [broken')
    folder.commit()
    const clone = new Folder()
    clone.git('clone', '--quiet', folder.path, 'clone')
    const { code, stderr, stdout } = await clone.qanatIn('clone', 'init')
    expect([code, stderr]).toEqual([0, expect.stringContaining('experiment/acting.yaml was not registered')])
    expect(stdout).toContain('1 dataset, 1 experiment')
  })
})
