import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { Folder, shellProject } from '../project.js'

const text = `# how we train
name: train
description: Trains
path: ./        # the whole of it
executable: it.sh
executable_command: sh
tags: [first]   # to be found
`

/** A project whose experiment was registered from a file in a subfolder. */
async function registered(): Promise<Folder> {
  const folder = await shellProject()
  folder.write('experiments/train.yaml', text)
  expect((await folder.qanatIn('experiments', 'experiment', 'new', '-f', 'train.yaml')).code).toBe(0)
  return folder
}

async function tagsOf(folder: Folder): Promise<string[]> {
  return (await folder.json('experiment', 'status', 'train', '--json')).experiment.tags
}

const differs = 'experiment train: experiments/train.yaml differs from what is registered (tags)'

describe('a thing that was registered without its file', () => {
  const edited = text.replace('[first]', '[first, second]')

  test('in a clone has it again: edits are named, and it is no code', async () => {
    const folder = await registered()
    await folder.qanat('export')
    symlinkSync('loop.yaml', join(folder.path, 'loop.yaml'))
    folder.commit()
    const { code_used: code } = await folder.json('run', '--json', 'train', 'true')
    const clone = new Folder()
    clone.git('clone', '--quiet', folder.path, '.')
    expect((await clone.qanat('init')).stderr).toBe('')
    clone.write('experiments/train.yaml', `${text}# a remark\n`)
    clone.commit()
    expect(await clone.json('run', '--json', 'train', 'true')).toMatchObject({ code_used: code })
    clone.write('experiments/train.yaml', edited)
    expect((await clone.qanat('status')).stdout).toContain(differs)
  })

  test('after a repair has it again, if a single file says the same', async () => {
    const folder = await registered()
    folder.commit()
    await folder.qanat('run', 'train', 'true')
    const lose = async () => {
      rmSync(join(folder.path, '.qanat/database.db'))
      await folder.qanat('doctor', '--repair')
    }
    folder.write('old/train.yaml', text.replace('Trains', 'Trained'))
    folder.write('.github/workflow.yml', 'name: train\non: push\n')
    await lose()
    folder.write('experiments/train.yaml', edited)
    expect((await folder.qanat('status')).stdout).toContain(differs)
    await lose()
    expect((await folder.json('status', '--json')).differing).toEqual([])
    folder.write('experiments/train.yaml', text)
    folder.write('again/train.yaml', text)
    await lose()
    folder.write('experiments/train.yaml', edited)
    expect((await folder.json('status', '--json')).differing).toEqual([])
  })
})

describe('a file that was edited after its experiment was registered', () => {
  test('is named by status, doctor and run, until one side is taken', async () => {
    const folder = await registered()
    expect((await folder.qanat('status')).stdout).not.toContain('train.yaml')
    expect((await folder.qanat('doctor')).stdout).toContain('everything that is registered agrees with its file')
    folder.write('experiments/train.yaml', text.replace('[first]', '[first, second]'))
    const { stdout } = await folder.qanat('status')
    expect(stdout).toContain(`${differs}\n  qanat experiment sync train\n`)
    expect((await folder.json('status', '--json')).differing).toEqual([
      {
        kind: 'experiment',
        name: 'train',
        file: 'experiments/train.yaml',
        differing: [{ key: 'tags', in_file: ['first', 'second'], registered: ['first'] }],
        problem: null,
      },
    ])
    expect((await folder.qanat('doctor')).stdout).toContain(differs)
    folder.commit()
    const run = await folder.qanatIn('experiments', 'run', 'train', 'true')
    expect([run.code, run.stderr]).toEqual([
      0,
      `Warning: ${differs}; the run uses what is registered. See: qanat experiment sync train\n`,
    ])
    expectError(await folder.qanat('experiment', 'sync', 'train'), 2, 'tags', '--take file or --take registered')
    const taken = await folder.qanat('experiment', 'sync', 'train', '--take', 'file')
    expect(taken.stdout).toBe('The experiment train now has what experiments/train.yaml says: tags.\n')
    expect(await tagsOf(folder)).toEqual(['first', 'second'])
    expect((await folder.qanat('experiment', 'sync')).stdout).toBe('Every experiment agrees with its file.\n')
  })

  test('is not taken for another thing that it describes by now, and may be gone', async () => {
    const folder = await registered()
    folder.write('experiments/train.yaml', text.replace('train', 'other'))
    expect((await folder.json('status', '--json')).differing).toEqual([])
    rmSync(join(folder.path, 'experiments/train.yaml'))
    expect((await folder.json('status', '--json')).differing).toEqual([])
    expect((await folder.qanat('experiment', 'sync', 'train')).stdout).toContain('update train -f FILE')
  })

  test('that cannot be registered any more is named with the reason, and what is registered can be written to it', async () => {
    const folder = await registered()
    const broken = text.replace('it.sh', 'gone.sh')
    folder.write('experiments/train.yaml', broken)
    expect((await folder.qanat('status')).stdout).toContain('cannot be registered: the executable of train is missing')
    expectError(await folder.qanat('experiment', 'sync', 'train', '--take', 'file'), 2, 'gone.sh')
    expect(folder.read('experiments/train.yaml')).toBe(broken)
    expect((await folder.qanat('experiment', 'sync', 'train', '--take', 'registered')).code).toBe(0)
    expect(folder.read('experiments/train.yaml')).toContain(
      'executable: it.sh\nexecutable_command: sh\ntags: [first] #',
    )
    // Both say the same, which is wrong by now.
    renameSync(join(folder.path, 'it.sh'), join(folder.path, 'moved.sh'))
    expect((await folder.qanat('status')).stdout).toContain('train.yaml cannot be registered: the executable of train')
    renameSync(join(folder.path, 'moved.sh'), join(folder.path, 'it.sh'))
    folder.write('experiments/train.yaml', 'name: [train')
    for (const side of ['file', 'registered']) {
      expectError(await folder.qanat('experiment', 'sync', 'train', '--take', side), 2, 'train.yaml')
    }
    expect(folder.read('experiments/train.yaml')).toBe('name: [train')
  })
})

describe('what was changed without its file', () => {
  test('can be written to the file, whose comments and other lines stay', async () => {
    const folder = await registered()
    folder.write('part.yaml', 'tags: [other]\noutputs: [model.pt]\ndescription: "007"\n')
    expect((await folder.qanat('experiment', 'update', 'train', '-f', 'part.yaml')).code).toBe(0)
    const { stdout } = await folder.qanat('experiment', 'sync', 'train', '--take', 'registered')
    expect(stdout).toBe(
      'experiments/train.yaml now has what is registered of the experiment train: description, tags, outputs.\n',
    )
    expect(folder.read('experiments/train.yaml')).toBe(`# how we train
name: train
description: 007
path: ./ # the whole of it
executable: it.sh
executable_command: sh
tags: [other] # to be found
outputs:
  - model.pt
`)
    expect((await folder.json('status', '--json')).differing).toEqual([])
  })

  test('is the name of an experiment or a dataset, which the files of what needs it get, too', async () => {
    const folder = await registered()
    folder.write('paper/make.sh', '')
    folder.write('data.yaml', 'name: iris\npath: paper\n')
    folder.write('more.yaml', 'name: more\nexecutable: it.sh\ndatasets:\n  - iris # petals\n')
    const needs =
      'experiment_dependencies:\n  # the first figure\n  - {experiment_name: train, files: fig.txt} # bins\n'
    folder.write('paper.yaml', `name: report # for all\npath: paper\ncompile_script: make.sh\n${needs}`)
    for (const [kind, file] of [
      ['dataset', 'data.yaml'],
      ['experiment', 'more.yaml'],
      ['document', 'paper.yaml'],
    ] as const) {
      expect((await folder.qanat(kind, 'new', '-f', file)).code).toBe(0)
    }
    await folder.qanat('export')
    folder.write('experiments/train.yaml', text.replace('name: train', 'name: learn'))
    expect((await folder.qanatIn('experiments', 'experiment', 'update', 'train', '-f', 'train.yaml')).code).toBe(0)
    folder.write('data.yaml', 'name: petals\npath: paper\n')
    expect((await folder.qanat('dataset', 'update', 'iris', '-f', 'data.yaml')).code).toBe(0)
    const { stdout } = await folder.qanat('doctor')
    expect(stdout).toContain("paper.yaml cannot be registered: no experiment 'train'")
    expect(stdout).toContain("more.yaml cannot be registered: no dataset 'iris'")
    for (const [kind, name] of [
      ['document', 'report'],
      ['experiment', 'more'],
    ] as const) {
      expect((await folder.qanat(kind, 'sync', name, '--take', 'registered')).code).toBe(0)
    }
    expect(folder.read('paper.yaml')).toContain(needs.replace('train', 'learn'))
    expect(folder.read('paper.yaml')).toContain('name: report # for all\n')
    expect(folder.read('more.yaml')).toContain('datasets:\n  - petals # petals\n')
    await folder.qanat('export')
    expect((await folder.json('status', '--json')).differing).toEqual([])
  })

  test('is older in the copy of qanat export, which status names', async () => {
    const folder = await registered()
    await folder.qanat('export')
    folder.write('experiments/train.yaml', text.replace('Trains', 'Learns'))
    await folder.qanat('experiment', 'sync', 'train', '--take', 'file')
    expect((await folder.qanat('status')).stdout).toContain('definitions/experiment/train.yaml differs from what')
    // Only its own file can say what to register: the copy is older.
    expect((await folder.qanat('experiment', 'sync', '--take', 'file')).stdout).toContain('Every experiment')
    await folder.qanat('export')
    expect((await folder.json('status', '--json')).differing).toEqual([])
  })
})

describe('a part of a file', () => {
  test('is not followed, which its update says, and no side can be taken until a file is known', async () => {
    const folder = await registered()
    rmSync(join(folder.path, 'experiments/train.yaml'))
    const part = 'name: train\nbest: {acc: max}\n'
    folder.write('train.yaml', part)
    const { stdout } = await folder.qanat('experiment', 'update', 'train', '-f', 'train.yaml')
    const told = 'Later edits of train.yaml are not noticed, since it describes only a part of the experiment.'
    expect(stdout).toBe(`Experiment train updated. ${told}\n`)
    const sync = (...words: string[]) => folder.qanat('experiment', 'sync', 'train', ...words)
    const hint = '\n  qanat export        makes one in .qanat/definitions\n'
    for (const side of ['file', 'registered']) {
      expectError(await sync('--take', side), 2, 'no file is known that describes the whole experiment train', hint)
    }
    expect((await sync()).stdout).toContain(hint)
    await folder.qanat('export')
    expect((await sync('--take', 'file')).stdout).toContain('agrees with .qanat/definitions/experiment/train.yaml')
    folder.write('whole.yaml', text)
    const whole = await folder.qanat('experiment', 'update', 'train', '-f', 'whole.yaml')
    expect(whole.stdout).toBe('Experiment train updated.\n')
    expect((await sync('--take', 'file')).stdout).toContain('agrees with whole.yaml')
    expect(folder.read('train.yaml')).toBe(part)
  })

  test('changes only what it names; a whole one is taken as it is', async () => {
    const folder = await registered()
    folder.write('part.yaml', 'executable_command: sh -u\n')
    await folder.qanat('experiment', 'update', 'train', '-f', 'part.yaml')
    const { experiment } = await folder.json('experiment', 'status', 'train', '--json')
    expect(experiment).toMatchObject({ executable_command: 'sh -u', tags: ['first'], description: 'Trains' })
    folder.write('whole.yaml', 'name: train\nexecutable: it.sh\n')
    await folder.qanat('experiment', 'update', 'train', '-f', 'whole.yaml')
    expect((await folder.json('experiment', 'status', 'train', '--json')).experiment).toMatchObject({
      executable_command: '',
      tags: [],
    })
    folder.write('part.yaml', 'executble: it.sh\n')
    expectError(await folder.qanat('experiment', 'update', 'train', '-f', 'part.yaml'), 2, 'Did you mean executable?')
  })

  test('is enough for a dataset and a document, too', async () => {
    const folder = await shellProject()
    folder.write('paper/make.sh', '')
    folder.write('data.yaml', 'name: iris\npath: paper\ntags: [a]\n')
    folder.write('paper.yaml', 'name: report\npath: paper\ncompile_script: make.sh\ntags: [a]\n')
    await folder.qanat('dataset', 'new', '-f', 'data.yaml')
    await folder.qanat('document', 'new', '-f', 'paper.yaml')
    folder.write('part.yaml', 'description: New\n')
    for (const [kind, name] of [
      ['dataset', 'iris'],
      ['document', 'report'],
    ] as const) {
      expect((await folder.qanat(kind, 'update', name, '-f', 'part.yaml')).code).toBe(0)
      const [found] = (await folder.json(kind, 'list', '--json'))[`${kind}s`]
      expect(found).toMatchObject({ name, description: 'New', tags: ['a'] })
      expect((await folder.qanat(kind, 'sync', name, '--take', 'file')).stdout).toContain('says: description.')
    }
    expect((await folder.json('status', '--json')).differing).toEqual([])
  })
})
