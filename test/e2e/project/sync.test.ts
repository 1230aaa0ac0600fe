import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { madeOnce } from '../made-once.js'
import { Folder, type Outcome, shellProject } from '../project.js'

const file = 'experiments/train.yaml'
const text = `# how we train
name: train
description: Trains
path: ./        # the whole of it
executable: it.sh
executable_command: sh
tags: [first]   # to be found
`
const edited = text.replace('[first]', '[first, second]')
const differs = `experiment train: ${file} differs from what is registered (tags)`

/** A project whose experiment was registered from a file in a subfolder. */
const registered = madeOnce(async () => {
  const folder = await shellProject()
  folder.write(file, text)
  expect((await folder.qanatIn('experiments', 'experiment', 'new', '-f', 'train.yaml')).code).toBe(0)
  return folder
})

function qanat(folder: Folder, line: string): Promise<Outcome> {
  return folder.qanat(...line.split(' '))
}

/** What a command that ends well prints. */
async function said(folder: Folder, line: string): Promise<string> {
  const { stdout, code } = await qanat(folder, line)
  expect([line, code]).toEqual([line, 0])
  return stdout
}

async function differing(folder: Folder): Promise<unknown> {
  return (await folder.json('status', '--json')).differing
}

describe('a thing that was registered without its file', () => {
  test('in a clone has it again: edits are named, and it is no code', async () => {
    const folder = await registered()
    await said(folder, 'export')
    symlinkSync('loop.yaml', join(folder.path, 'loop.yaml'))
    folder.commit()
    const { code_used: code } = await folder.json('run', '--json', 'train', 'true')
    const clone = new Folder()
    clone.git('clone', '--quiet', folder.path, '.')
    expect((await clone.qanat('init')).stderr).toBe('')
    clone.write(file, `${text}# a remark\n`)
    clone.commit()
    expect(await clone.json('run', '--json', 'train', 'true')).toMatchObject({ code_used: code })
    clone.write(file, edited)
    expect(await said(clone, 'status')).toContain(differs)
  })

  test('after a repair has it again, if a single file says the same', async () => {
    const folder = await registered()
    folder.commit()
    await said(folder, 'run train true')
    folder.write('old/train.yaml', text.replace('Trains', 'Trained'))
    folder.write('.github/workflow.yml', 'name: train\non: push\n')
    // Files that say the same at the repair, and whether an edit of the first is named then.
    for (const [found, isKnown] of [
      [[file], true],
      [[], false],
      [[file, 'again/train.yaml'], false],
    ] as const) {
      for (const path of found) folder.write(path, text)
      rmSync(join(folder.path, '.qanat/database.db'))
      await folder.qanat('doctor', '--repair')
      folder.write(file, edited)
      expect((await said(folder, 'status')).includes(differs)).toBe(isKnown)
      if (!isKnown) expect(await differing(folder)).toEqual([])
    }
  })
})

describe('a file that was edited after its experiment was registered', () => {
  test('is named by status, doctor and run, until one side is taken', async () => {
    const folder = await registered()
    expect(await said(folder, 'status')).not.toContain('train.yaml')
    expect((await folder.qanat('doctor')).stdout).toContain('everything that is registered agrees with its file')
    folder.write(file, edited)
    expect(await said(folder, 'status')).toContain(`${differs}\n  qanat experiment sync train\n`)
    const difference = { key: 'tags', in_file: ['first', 'second'], registered: ['first'] }
    const train = { kind: 'experiment', name: 'train', file, differing: [difference], problem: null }
    expect(await differing(folder)).toEqual([train])
    expect((await folder.qanat('doctor')).stdout).toContain(differs)
    folder.commit()
    const { code, stderr } = await folder.qanatIn('experiments', 'run', 'train', 'true')
    const warning = `Warning: ${differs}; the run uses what is registered. See: qanat experiment sync train\n`
    expect([code, stderr]).toEqual([0, warning])
    expectError(await qanat(folder, 'experiment sync train'), 2, 'tags', '--take file or --take registered')
    const taken = `The experiment train now has what ${file} says: tags.\n`
    expect(await said(folder, 'experiment sync train --take file')).toBe(taken)
    const { experiment } = await folder.json('experiment', 'status', 'train', '--json')
    expect(experiment.tags).toEqual(['first', 'second'])
    expect(await said(folder, 'experiment sync')).toBe('Every experiment agrees with its file.\n')
    // It may describe another thing by now, or be gone.
    folder.write(file, text.replace('name: train', 'name: other'))
    expect(await differing(folder)).toEqual([])
    rmSync(join(folder.path, file))
    expect(await differing(folder)).toEqual([])
    expect(await said(folder, 'experiment sync train')).toContain('update train -f FILE')
  })

  test('that cannot be registered any more is named with the reason, and what is registered can be written to it', async () => {
    const folder = await registered()
    const broken = text.replace('it.sh', 'gone.sh')
    const cannot = 'train.yaml cannot be registered: the executable of train is missing'
    folder.write(file, broken)
    expect(await said(folder, 'status')).toContain(cannot)
    expectError(await qanat(folder, 'experiment sync train --take file'), 2, 'gone.sh')
    expect(folder.read(file)).toBe(broken)
    await said(folder, 'experiment sync train --take registered')
    expect(folder.read(file)).toContain('executable: it.sh\nexecutable_command: sh\ntags: [first] #')
    // Both say the same, which is wrong by now.
    renameSync(join(folder.path, 'it.sh'), join(folder.path, 'moved.sh'))
    expect(await said(folder, 'status')).toContain(cannot)
    renameSync(join(folder.path, 'moved.sh'), join(folder.path, 'it.sh'))
    folder.write(file, 'name: [train')
    for (const side of ['file', 'registered'])
      expectError(await qanat(folder, `experiment sync train --take ${side}`), 2, 'train.yaml')
    expect(folder.read(file)).toBe('name: [train')
  })
})

describe('what was changed without its file', () => {
  test('can be written to the file, whose comments and other lines stay', async () => {
    const folder = await registered()
    folder.write('part.yaml', 'tags: [other]\noutputs: [model.pt]\ndescription: "007"\n')
    await said(folder, 'experiment update train -f part.yaml')
    const told = `${file} now has what is registered of the experiment train: description, tags, outputs.\n`
    expect(await said(folder, 'experiment sync train --take registered')).toBe(told)
    const written = text
      .replace('Trains', '007')
      .replace('[first]', '[other]')
      .replaceAll(/(?<=\S) +#/g, ' #')
    expect(folder.read(file)).toBe(`${written}outputs:\n  - model.pt\n`)
    expect(await differing(folder)).toEqual([])
  })

  test('is the name of an experiment or a dataset, which the files of what needs it get, too', async () => {
    const folder = await registered()
    folder.write('paper/make.sh', '')
    folder.write('data.yaml', 'name: iris\npath: paper\n')
    folder.write('more.yaml', 'name: more\nexecutable: it.sh\ndatasets:\n  - iris # petals\n')
    const needs =
      'experiment_dependencies:\n  # the first figure\n  - {experiment_name: train, files: fig.txt} # bins\n'
    folder.write('paper.yaml', `name: report # for all\npath: paper\ncompile_script: make.sh\n${needs}`)
    for (const words of ['dataset new -f data', 'experiment new -f more', 'document new -f paper'])
      await said(folder, `${words}.yaml`)
    await said(folder, 'export')
    folder.write(file, text.replace('name: train', 'name: learn'))
    expect((await folder.qanatIn('experiments', 'experiment', 'update', 'train', '-f', 'train.yaml')).code).toBe(0)
    folder.write('data.yaml', 'name: petals\npath: paper\n')
    await said(folder, 'dataset update iris -f data.yaml')
    const { stdout } = await folder.qanat('doctor')
    expect(stdout).toContain("paper.yaml cannot be registered: no experiment 'train'")
    expect(stdout).toContain("more.yaml cannot be registered: no dataset 'iris'")
    for (const thing of ['document sync report', 'experiment sync more'])
      await said(folder, `${thing} --take registered`)
    expect(folder.read('paper.yaml')).toContain(needs.replace('train', 'learn'))
    expect(folder.read('paper.yaml')).toContain('name: report # for all\n')
    expect(folder.read('more.yaml')).toContain('datasets:\n  - petals # petals\n')
    await said(folder, 'export')
    expect(await differing(folder)).toEqual([])
  })

  test('is older in the copy of qanat export, which status names', async () => {
    const folder = await registered()
    await said(folder, 'export')
    folder.write(file, text.replace('Trains', 'Learns'))
    await said(folder, 'experiment sync train --take file')
    expect(await said(folder, 'status')).toContain('definitions/experiment/train.yaml differs from what')
    // Only its own file can say what to register: the copy is older.
    expect(await said(folder, 'experiment sync --take file')).toContain('Every experiment')
    await said(folder, 'export')
    expect(await differing(folder)).toEqual([])
  })
})

describe('a part of a file', () => {
  test('changes only what it names and is not followed; a whole one is taken as it is', async () => {
    const folder = await registered()
    rmSync(join(folder.path, file))
    const part = 'name: train\nbest: {acc: max}\nexecutable_command: sh -u\n'
    folder.write('train.yaml', part)
    const told = 'Later edits of train.yaml are not noticed, since it describes only a part of the experiment.'
    expect(await said(folder, 'experiment update train -f train.yaml')).toBe(`Experiment train updated. ${told}\n`)
    const known = async () => (await folder.json('experiment', 'status', 'train', '--json')).experiment
    expect(await known()).toMatchObject({ executable_command: 'sh -u', tags: ['first'], description: 'Trains' })
    const hint = '\n  qanat export        makes one in .qanat/definitions\n'
    const unknown = ['no file is known that describes the whole experiment train', hint]
    for (const side of ['file', 'registered'])
      expectError(await qanat(folder, `experiment sync train --take ${side}`), 2, ...unknown)
    expect(await said(folder, 'experiment sync train')).toContain(hint)
    await said(folder, 'export')
    const takes = () => said(folder, 'experiment sync train --take file')
    expect(await takes()).toContain('agrees with .qanat/definitions/experiment/train.yaml')
    expect(folder.read('train.yaml')).toBe(part)
    folder.write('whole.yaml', 'name: train\nexecutable: it.sh\n')
    expect(await said(folder, 'experiment update train -f whole.yaml')).toBe('Experiment train updated.\n')
    expect(await takes()).toContain('agrees with whole.yaml')
    expect(await known()).toMatchObject({ executable_command: '', tags: [] })
    folder.write('part.yaml', 'executble: it.sh\n')
    expectError(await qanat(folder, 'experiment update train -f part.yaml'), 2, 'Did you mean executable?')
  })

  test('is enough for a dataset and a document, too', async () => {
    const folder = await shellProject()
    folder.write('paper/make.sh', '')
    folder.write('data.yaml', 'name: iris\npath: paper\ntags: [a]\n')
    folder.write('paper.yaml', 'name: report\npath: paper\ncompile_script: make.sh\ntags: [a]\n')
    folder.write('part.yaml', 'description: New\n')
    for (const [kind, name, from] of [
      ['dataset', 'iris', 'data.yaml'],
      ['document', 'report', 'paper.yaml'],
    ] as const) {
      await said(folder, `${kind} new -f ${from}`)
      await said(folder, `${kind} update ${name} -f part.yaml`)
      const [found] = (await folder.json(kind, 'list', '--json'))[`${kind}s`]
      expect(found).toMatchObject({ name, description: 'New', tags: ['a'] })
      expect(await said(folder, `${kind} sync ${name} --take file`)).toContain('says: description.')
    }
    expect(await differing(folder)).toEqual([])
  })
})
