import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { usualIgnores } from '../../../src/domain/code-used.js'
import { projectWith, until } from '../project.js'
import { withPaperOf } from '../runs/paper.js'
import { hasTerminal, Screen } from '../screen.js'

/** Answers one question after the other, with texts that are typed and keys that are pressed, and then Enter. */
async function answer(screen: Screen, answers: readonly (readonly [question: string, ...keys: string[]])[]) {
  for (const [question, ...keys] of answers) {
    await until(
      () => `\n${screen.text()}`,
      text => text.slice(text.lastIndexOf('\n? ')).includes(question),
    )
    for (const key of keys) {
      if (/^(C-u|Down|Up|Space|BSpace|Tab)$/.test(key)) screen.press(key)
      else screen.type(key)
    }
    screen.press('Enter')
  }
}

describe.skipIf(!hasTerminal)('questions about a dataset', () => {
  test('are asked again until the user agrees to valid answers, and what is known can be changed or emptied', async () => {
    const folder = await projectWith('true')
    const screen = new Screen(folder, 'qanat dataset new')
    await answer(screen, [
      ['Name', 'a b'],
      ["'a b' cannot be the name of a dataset\n  a name is a letter (A-Z or a-z) or a digit", 'C-u', 'iris'],
      ['Description', 'ünïcödé flowers'],
      ['Path', ''],
      ['this cannot be empty', 'data'],
      ['data is not on this machine. Is it right all the same? (y/N)', 'y'],
      ['Tags', 'a, b,,a'],
      ['What each run records of the data', 'Down', 'Down'],
      ['Is this right? (no: change the answers) (Y/n)', 'n'],
      ['? Name (iris)'],
    ])
    await screen.shows(
      'name: iris\ndescription: ünïcödé flowers\npath: data\ntags:\n  - a\n  - b\nfingerprint: sample\n',
    )
    await answer(screen, [
      ['? Description (ünïcödé flowers)'],
      ['? Path (data)'],
      ['data is not on this machine', 'y'],
      ['? Tags, separated by commas (a, b)'],
      ['What each run records of the data'],
      ['Is this right?'],
    ])
    expect(await screen.exitCode()).toBe(0)
    const known = { id: 1, name: 'iris', path: 'data', from: null, fingerprint: 'sample' }
    const dataset = { ...known, description: 'ünïcödé flowers', tags: ['a', 'b'] }
    expect(await folder.json('dataset', 'list', '--json')).toEqual({ datasets: [dataset] })
    const update = new Screen(folder, 'qanat dataset update iris --yes')
    await answer(update, [
      ['Name (iris)'],
      ['Description (ünïcödé flowers)', 'Tab', ', many'],
      ['Path (data)', 'it.sh'],
      ['Tags, separated by commas (a, b)', 'BSpace'],
      ['What each run records of the data'],
    ])
    expect(await update.exitCode()).toBe(0)
    const changed = { ...dataset, description: 'ünïcödé flowers, many', path: 'it.sh', tags: [] }
    expect(await folder.json('dataset', 'list', '--json')).toEqual({ datasets: [changed] })
  })
})

describe.skipIf(!hasTerminal)('questions about an experiment', () => {
  test('register it with datasets and actions, and refuse a wrong answer at its own question', async () => {
    const folder = await projectWith('true')
    folder.write('code/execute.sh', 'true\n')
    folder.write('code/plot.py', '')
    for (const name of ['first', 'second']) {
      folder.write('.qanat/data.yaml', `name: ${name}\npath: it.sh\n`)
      await folder.qanat('dataset', 'new', '.qanat/data.yaml')
    }
    const screen = new Screen(folder, 'qanat experiment new')
    await answer(screen, [
      ['Name', 'it'],
      ["experiment 'it' already exists", 'C-u', 'train'],
      ['Description', 'It trains'],
      ['Folder of its code', 'cod'],
      ['the folder of train does not exist: cod', 'e'],
      ['Executable (its path from the root of the project) (code/execute.sh)', 'code'],
      ['the executable of train is not a file: code', 'C-u'],
      ['Command that runs execute.sh, or a blank for none (bash)', 'sh "-u'],
      ['> ', 'BSpace', 'BSpace', 'BSpace', '-u'],
      ['Option by which it gets the folder for its results, or none (--storage_path)', '--my out'],
      ['expected an option such as --output_dir', 'C-u', '--out'],
      ['Tags', 'one'],
      ['Datasets that it reads', 'Down', 'Space'],
      ['Option by which it gets the path of each dataset, or none (--dataset_path)', 'none'],
      ['Actions: none', 'Down'],
      ['Name of the action', 'plot'],
      ['Description of the action', 'Plots'],
      ['Executable', 'code/plt.py'],
      ['the executable of plot is missing: code/plt.py', 'C-u', 'code/plot.py'],
      ['Command that runs plot.py, or a blank for none (python3)'],
      ['Actions: plot', 'Down'],
      ['Name of the action', 'plot'],
      ["action 'plot' already exists", 'C-u', 'export'],
      ['Description of the action'],
      ['Executable', 'it.sh'],
      ['Command that runs it.sh', 'Space'],
      ['Actions: plot, export'],
      ['Metrics (usual files are found by themselves): none', 'Down'],
      ['File in the folder of a group, or search', '../m.csv'],
      ['expected a path inside the folder of the group', 'C-u', 'm.csv'],
      ['Column that counts its rows', 'epoch'],
      ['): m.csv\n', 'Down'],
      ['File in the folder of a group, or search', 'acc=(?<acc>'],
      ['Invalid regular expression', '.*)'],
      ['): m.csv, acc=(?<acc>.*)\n'],
      ['Best values of metrics: none', 'Down'],
      ['Name of the metric', 'acc'],
      ['What is best'],
      ['Best values of metrics: acc: max'],
      ['Files that a group must leave, or it has failed: none', 'Down'],
      ['Path in the folder of a group', '/m.pt'],
      ['expected a path inside the folder of the group', 'C-u', 'm*.pt'],
      ['Files that a group must leave, or it has failed: m*.pt'],
      ['Say which files count as its code, and whether outputs are hashed? (y/N)', 'y'],
      ['Files that its code uses (none: all that git tracks): none', 'Down'],
      ['Pattern, as in .gitignore', '!lib'],
      ['expected a pattern that does not begin with !', 'C-u', 'lib/**'],
      ['Files that its code uses (none: all that git tracks): lib/**'],
      [`Files that do not count: ${usualIgnores.join(', ')}`, 'Down'],
      ['Pattern, as in .gitignore', 'notes'],
      [`Files that do not count: ${usualIgnores.join(', ')}, notes`],
      ['What is kept of the files that its groups leave', 'Down'],
      ['Is this right?'],
    ])
    expect(await screen.exitCode()).toBe(0)
    const train = {
      ...{ name: 'train', description: 'It trains', path: 'code', datasets: ['second'], tags: ['one'] },
      ...{ executable: 'code/execute.sh', executable_command: 'sh -u' },
      ...{ storage_option: '--out', dataset_option: null },
      metrics: [{ file: 'm.csv', step: 'epoch' }, { stdout: 'acc=(?<acc>.*)' }],
      ...{ best: { acc: 'max' }, outputs: ['m*.pt'], passes: [], uses: ['lib/**'] },
      ...{ ignores: [...usualIgnores, 'notes'], manifest: 'hash' },
      actions: [
        { name: 'plot', description: 'Plots', executable: 'code/plot.py', executable_command: 'python3' },
        { name: 'export', description: '', executable: 'it.sh', executable_command: '' },
      ],
    }
    expect((await folder.json('experiment', 'status', 'train', '--json')).experiment).toEqual(train)
    const update = new Screen(folder, 'qanat experiment update train')
    await answer(update, [
      ['Name (train)'],
      ['Description (It trains)', 'BSpace'],
      ['Folder of its code (code)', 'BSpace'],
      ['Executable (its path from the root of the project) (code/execute.sh)'],
      ['Command that runs execute.sh, or a blank for none (sh -u)', 'BSpace'],
      ['Option by which it gets the folder for its results, or none (--out)'],
      ['Tags, separated by commas (one)', 'BSpace'],
      ['Datasets that it reads', 'Down', 'Space'],
      ['Actions: plot, export', 'Down', 'Down'],
      ['Name of the action (plot)', 'plotter'],
      ['Description of the action (Plots)'],
      ['Executable (its path from the root of the project) (code/plot.py)'],
      ['Command that runs plot.py, or a blank for none (python3)'],
      ['Actions: plotter, export', 'Down', 'Down', 'Down', 'Down', 'Down'],
      ['Actions: plotter\n'],
      ['): m.csv, acc=(?<acc>.*)\n'],
      ['Best values of metrics: acc: max', 'Down', 'Down'],
      ['Name of the metric (acc)'],
      ['What is best', 'Down'],
      ['Best values of metrics: acc: min'],
      ['Files that a group must leave, or it has failed: m*.pt'],
      ['Say which files count as its code'],
      ['Is this right?'],
    ])
    expect(await update.exitCode()).toBe(0)
    expect((await folder.json('experiment', 'status', 'train', '--json')).experiment).toEqual({
      ...{ ...train, description: '', path: '', executable_command: '', tags: [], datasets: [] },
      ...{ actions: [{ ...train.actions[0], name: 'plotter' }], best: { acc: 'min' } },
    })
  })
})

describe.skipIf(!hasTerminal)('questions about a script', () => {
  test('are about what it does not tell of itself, and about the rest if that is asked for', async () => {
    const folder = await projectWith('true')
    folder.write('.qanat/data.yaml', 'name: iris\npath: it.sh\n')
    await folder.qanat('dataset', 'new', '.qanat/data.yaml')
    folder.write('told.py', "add_argument('--lr', default=0.1)\nadd_argument('--out')\n")
    const told = new Screen(folder, 'qanat experiment new told.py')
    await told.shows(
      "Experiment told registered as told.yaml describes it. Next: qanat run --commit 'Add told' told --lr 0.1",
    )
    expect(await told.exitCode()).toBe(0)
    folder.write('it.py', "add_argument('--data')\n")
    const screen = new Screen(folder, 'qanat experiment new it.py')
    await answer(screen, [
      ['Option by which it.py gets the folder for its results, or none (none)', 'into='],
      ['Datasets that it reads', 'Space'],
    ])
    await screen.shows('Experiment it.py registered as it.experiment.yaml describes it. Next: qanat run it.py')
    expect(await screen.exitCode()).toBe(0)
    expect((await folder.json('experiment', 'status', 'it.py', '--json')).experiment).toMatchObject({
      ...{ executable_command: 'python3', datasets: ['iris'], storage_option: 'into=', dataset_option: '--data' },
    })
    folder.write('more.py', "add_argument('--data')\nadd_argument('--out')\n")
    const all = new Screen(folder, 'qanat experiment new more.py --prompt')
    await answer(all, [
      ['Name of the experiment that runs more.py (more)', 'less'],
      ['Command that runs more.py, or a blank for none (python3)', 'python3 -u'],
      ['Option by which more.py gets the folder for its results, or none (--out)'],
      ['Datasets that it reads', 'Space'],
      ['Option by which more.py gets the path of each dataset, or none (--data)', 'none'],
    ])
    expect(await all.exitCode()).toBe(0)
    expect((await folder.json('experiment', 'status', 'less', '--json')).experiment).toMatchObject({
      ...{ executable_command: 'python3 -u', storage_option: '--out', dataset_option: null },
    })
  })
})

test.skipIf(!hasTerminal)('questions about an experiment say where datasets come from if there is none', async () => {
  const screen = new Screen(await projectWith('true'), 'qanat experiment new')
  const asked = ['Name', 'Description', 'Folder', 'Executable', 'Command', 'Option', 'Tags'] as const
  await answer(
    screen,
    asked.map(question =>
      question === 'Name' ? [question, 'a'] : question === 'Executable' ? [question, 'C-u', 'it.sh'] : [question],
    ),
  )
  await screen.shows('There is no dataset yet. If it reads data: qanat dataset new')
})

describe.skipIf(!hasTerminal)('questions about a document', () => {
  test('register it with its dependencies; the usual scripts are offered', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: count.txt}', { 'site/Makefile': 'all:\n' })
    const screen = new Screen(folder, 'qanat document new')
    await answer(screen, [
      ['Name', 'site'],
      ['Description', ''],
      ['Folder', 'no'],
      ['the folder of site does not exist: no', 'C-u', 'site'],
      ['Compile script (Makefile)'],
      ['Command that runs Makefile, or a blank for none (make -f)'],
      ['Script or file to view it'],
      ['Tags'],
      ['Depends on: none', 'Down'],
      ['Experiment'],
      ['Parameter file of the run', 'gird.yaml'],
      ['the parameter file does not exist: gird.yaml', 'C-u', 'grid.yaml'],
      ["Files of the run's folder", '../x'],
      ['is not inside the folder of the run', 'C-u', 'all.txt, {plot: a.svg, x: --n, y: acc}, group_0/count.txt'],
      ['Runner of a missing run'],
      ['Its options', '--n_treads 2'],
      ['is not understood', 'C-u', '--n_threads 2'],
      ['Container', 'gone.sif'],
      ['there is no container gone.sif', 'C-u'],
      ['Commit, tag or branch', 'nowhere'],
      ["no commit 'nowhere'", 'C-u'],
      ['Action before the files are copied', 'Down'],
      ['Arguments of draw', "--title 'a b'"],
      ['Depends on: count with grid.yaml', 'Down'],
      ['Experiment'],
      ['Parameter file of the run', 'grid.yaml'],
      ['the document depends on count with grid.yaml already', 'C-u'],
      ["Files of the run's folder, separated by commas", 'count.txt'],
      ['Runner'],
      ['Its options'],
      ['Container'],
      ['Commit'],
      ['Action'],
      ['Depends on: count with grid.yaml, count'],
      ['Is this right?'],
    ])
    expect(await screen.exitCode()).toBe(0)
    const exported = parse((await folder.qanat('document', 'export', 'site')).stdout)
    expect(exported).toMatchObject({ path: 'site', compile_script: 'Makefile', compile_script_command: 'make -f' })
    expect(exported.experiment_dependencies).toMatchObject([
      {
        ...{ run_args_file: 'grid.yaml', runner: 'local', runner_params: { n_threads: '2' } },
        ...{ action_name: 'draw', action_args: ['--title', 'a b'] },
        files: ['all.txt', 'group_0/count.txt', { plot: 'a.svg', x: '--n', y: 'acc' }],
      },
      { run_args_file: null, action_name: null, files: ['count.txt'] },
    ])
  })

  test('know what was typed already, and come again after what only all answers together show to be wrong', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: count.txt}')
    folder.write('data.yaml', 'name: data\npath: paper/exports/count\n')
    folder.write('loop.yaml', 'name: loop\nexecutable: count.sh\ndatasets: [data]\n')
    await folder.qanat('dataset', 'new', 'data.yaml')
    await folder.qanat('experiment', 'new', 'loop.yaml')
    const screen = new Screen(folder, 'cd paper && qanat document add_dependency paper loop ../grid.yaml --yes')
    const parameters = 'from the root of the project (empty: none) (grid.yaml)'
    await answer(screen, [['❯ loop'], [parameters], ['Files', 'a.txt'], ['Runner'], ['Its options', '--gpu']])
    await answer(screen, [['Container'], ['Commit'], ['? Experiment', 'Up']])
    await screen.shows('Error: documents would depend on each other in a circle')
    await answer(screen, [
      [parameters],
      ['separated by commas; also {plot: acc.svg, y: acc} (a.txt)'],
      ['Runner'],
      ['(empty: none) (--gpu)'],
      ['Container'],
      ['Commit'],
    ])
    expect(await screen.exitCode()).toBe(0)
    const [, added] = (await folder.json('document', 'status', 'paper', '--json')).document.experiment_dependencies
    expect(added).toMatchObject({ experiment_name: 'it', run_args_file: 'grid.yaml', files: ['a.txt'] })
  })
})
