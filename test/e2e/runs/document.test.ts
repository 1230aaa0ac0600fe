import { rmSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { sealed } from '../../../src/project/yaml/seal.js'
import { expectError } from '../expectations.js'
import { awaits } from '../project.js'
import { states, withCompiled, withPaper, withPaperOf } from './paper.js'

const pinned =
  '  - {experiment_name: count, run_args_file: grid.yaml, commit_sha: first, action_name: draw, files: [all.txt]}'

describe('compiling a document', () => {
  test('launches missing runs, runs the actions, copies the files with notes on their origin, and calls the script', async () => {
    const folder = await withPaper()
    expect(await states(folder)).toEqual([
      false,
      'missing  no run with these arguments',
      'missing  no run with these arguments',
    ])
    const { code, stdout, stderr } = await folder.qanat(
      'document',
      'compile',
      'paper',
      '--options',
      "'a b' c",
      '--view',
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('paper/exports/count/grid/all.txt')
    expect(stdout).toContain('compiled a b c\n')
    expect(stdout).toContain(`viewing ${folder.path}/paper`)
    expect(folder.read('paper/exports/count/grid/all.txt')).toBe('0\n1\n2\n')
    const note = folder.read('paper/exports/count/grid/all.txt.qanat.txt')
    for (const fact of [
      'run: 1',
      `commit: ${folder.git('rev-parse', 'HEAD').trim()}`,
      'run_args_file: grid.yaml',
      `run_args: |\n  ${folder.read('grid.yaml')}`,
      'script: draw.sh',
    ]) {
      expect(note).toContain(fact)
    }
    expect(await states(folder)).toEqual([true, 'up to date 1', 'up to date 2'])
    const run = await folder.json('run_show', 'count', '1', '--json')
    expect(run).toMatchObject({ tags: ['paper', 'compile'], description: 'for the document paper', dirty: false })
    expect(run.runner_params.n_threads).toBe(2)
  })

  test('uses an existing run, even after changes of the text and of the settings', async () => {
    const folder = await withPaper()
    await folder.qanat('run', '--detach', 'count')
    await folder.qanat('run', 'count', '-f', 'grid.yaml')
    folder.write('paper/text.tex', 'a better sentence\n')
    folder.commit()
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect(await states(folder)).toEqual([true, 'up to date 2', 'up to date 1'])
    expect((await folder.json('runs', '--json')).runs).toHaveLength(2)
  })

  test('launches runs with outdated code again, and says why they are stale', async () => {
    const folder = await withCompiled()
    folder.write('count.sh', `# changed\n${folder.read('count.sh')}`)
    folder.write('lib/new.sh', 'new\n')
    folder.commit()
    expect((await states(folder))[1]).toBe('stale  count.sh and lib/new.sh have changed since run 1')
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect(await states(folder)).toEqual([true, 'up to date 3', 'up to date 4'])
    expect(folder.read('paper/exports/count/count.txt.qanat.txt')).toContain('run: 4')
  })

  test('runs nothing again after changes that do not matter to the experiment', async () => {
    const folder = await withCompiled()
    folder.write('README.md', 'better\n')
    folder.write('paper/text.tex', 'a better sentence\n')
    folder.write('draw.sh', `# in red\n${folder.read('draw.sh')}`)
    folder.write('other.sh', 'echo other\n')
    folder.commit()
    const [, grid, single] = await states(folder)
    expect([grid, single]).toEqual([
      'stale  other.sh has changed since run 1',
      'stale  other.sh has changed since run 2',
    ])
    folder.write('count.yaml', `${folder.read('count.yaml')}uses: [/lib/**]\n`)
    await folder.qanat('experiment', 'update', 'count', '-f', 'count.yaml')
    expect((await states(folder)).slice(1)).toEqual([
      'stale 1 draw.sh has changed since it made all.txt',
      'up to date 2',
    ])
    folder.commit()
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect((await folder.json('runs', '--json')).runs).toHaveLength(2)
  })

  test('uses a run with uncommitted changes once its code is committed', async () => {
    const folder = await withPaper()
    folder.write('count.sh', `# changed\n${folder.read('count.sh')}`)
    await folder.qanat('run', '--allow_dirty', '--detach', 'count')
    await folder.qanat('run_wait', 'count')
    expect((await states(folder))[2]).toBe('stale  count.sh has changed since run 1')
    folder.commit()
    expect((await states(folder))[2]).toBe('stale 1 count.txt of run 1 is not exported yet')
  })

  test('uses a run whose commit is not here if its code had the same hash', async () => {
    const folder = await withCompiled()
    folder.git('commit', '--quiet', '--amend', '--message', 'Another name')

    await folder.shell(`rm -rf .qanat/cache .git/worktrees
      git for-each-ref --format 'delete %(refname)' refs/qanat | git update-ref --stdin
      git reflog expire --expire=now --all; git gc --quiet --prune=now`)
    expect((await states(folder)).slice(1)).toEqual(['up to date 1', 'up to date 2'])
    folder.write('count.sh', 'exit 0\n')
    folder.commit()
    expect((await states(folder))[1]).toMatch(/^stale {2}run 1 ran at \w{7}, which is not in this repository$/)
  })

  test('uses a run of the commit that it names', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: count.txt, commit_sha: first}')
    folder.git('tag', 'first')
    folder.write('count.sh', 'exit 1\n')
    folder.commit()
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect((await folder.json('run_show', 'count', '1', '--json')).commit_sha).toBe(
      folder.git('rev-parse', 'first').trim(),
    )
  })

  test('is not affected by files that another document has exported', async () => {
    const folder = await withPaper()
    folder.write('other/compile.sh', 'true\n')
    folder.write(
      'other.yaml',
      folder.read('paper.yaml').replaceAll('paper', 'other').replace('view_script: view.sh', ''),
    )
    folder.write('paper/.gitignore', '*.out\n')
    folder.commit()
    await folder.qanat('document', 'new', 'other.yaml')
    for (const name of ['paper', 'other']) {
      expect(await folder.qanat('document', 'compile', name)).toMatchObject({ code: 0, stderr: '' })
    }
    expect(folder.git('status', '--short', '--untracked-files=all')).toContain('paper/exports/count/count.txt')
    expect((await folder.qanat('run', '--detach', 'it', 'true')).code).toBe(0)
    folder.commit()
    expect(await states(folder)).toEqual([true, 'up to date 1', 'up to date 2'])
  })

  test('names the script that made a file with its own commit, or with its uncommitted changes', async () => {
    const folder = await withPaperOf(pinned)
    folder.git('tag', 'first')
    const note = () => parse(folder.read('paper/exports/count/grid/all.txt.qanat.txt'))
    const first = folder.git('rev-parse', 'first').trim()
    const edit = (line: string) => folder.write('draw.sh', `${folder.read('draw.sh')}${line}\n`)
    edit('echo square >>"$2/all.txt"')
    const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
    expect([code, stderr]).toEqual([0, expect.stringContaining('+echo square >>"$2/all.txt"')])
    expect(note()).toMatchObject({ commit: first, action: { command: 'draw', script: 'draw.sh', commit: first } })
    const { patch } = note().action
    expect(folder.read(`paper/exports/count/grid/${patch}`)).toContain('\n+echo square >>"$2/all.txt"\n')
    folder.commit()
    expect((await states(folder))[1]).toBe('up to date 1')
    edit('# round')
    expect((await states(folder))[1]).toBe('stale 1 draw.sh has changed since it made all.txt')
    folder.commit()
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect((await states(folder))[1]).toBe('up to date 1')
    const second = folder.git('rev-parse', 'HEAD').trim()
    expect(note()).toMatchObject({ commit: first, action: { commit: second, patch: null } })
    expect(folder.has(`paper/exports/count/grid/${patch}`)).toBe(false)
  })

  test('overwrites no file without a note of its own, whether it is copied or made, and launches nothing before', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: [count.txt, {report: all.html}]}')
    const mine = ['paper/exports/count/all.html', 'paper/exports/count/count.txt']
    for (const path of mine) folder.write(path, 'mine')
    const refusal = async (files: string, hint: string) => {
      const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
      expect([code, stderr]).toEqual([2, expect.stringContaining(`would overwrite ${files}, `)])
      expect(stderr).toContain(`\n  ${hint} `)
    }
    await refusal(`${mine[1]} and ${mine[0]}`, 'mv paper/exports paper/exports.mine')
    expect((await folder.json('runs', '--json')).runs).toEqual([])
    rmSync(`${folder.path}/${mine[1]}`)
    await refusal(mine[0]!, `mv ${mine[0]} ${mine[0]}.mine`)
    expect((await folder.shell(`mv ${mine[0]} ${mine[0]}.mine`)).code).toBe(0)
    expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
    expect(folder.read(`${mine[0]}.mine`)).toBe('mine')
    // A compilation that was interrupted has copied the file, and written no note yet.
    rmSync(`${folder.path}/${mine[1]}.qanat.txt`)
    expect(await folder.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0, stderr: '' })
  })

  test('keeps what somebody has made of an export, under another name, and replaces its own without a word', async () => {
    const folder = await withCompiled()
    const file = 'paper/exports/count/count.txt'
    for (const _ of [1, 2]) {
      folder.write(file, 'rounded by hand')
      const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
      expect([code, stderr]).toEqual([0, expect.stringContaining(`${file} was edited; it is kept as ${file}.edited-`)])
      expect(folder.read(file)).not.toContain('by hand')
    }
    const [kept, ...others] = folder.list('paper/exports/count').filter(name => name.includes('edited'))
    expect([folder.read(`paper/exports/count/${kept}`), others]).toEqual(['rounded by hand', []])
    await folder.qanat('rerun', 'count', '2')
    expect(await folder.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0, stderr: '' })
  })

  test('names the exports that are not written any more, and keeps them', async () => {
    const folder = await withCompiled()
    folder.write('paper/exports/mine.txt', 'mine')
    expect((await folder.qanat('document', 'status', 'paper')).stderr).toBe('')
    folder.write('count.yaml', folder.read('count.yaml').replace('name: count', 'name: tally'))
    expect((await folder.qanat('experiment', 'update', 'count', '-f', 'count.yaml')).code).toBe(0)
    folder.commit()
    const former = ['count.txt', 'grid/all.txt'].map(name => `paper/exports/count/${name}`)
    for (const command of ['compile', 'status']) {
      const { code, stderr } = await folder.qanat('document', command, 'paper')
      expect([code, stderr]).toEqual([
        ...[
          0,
          `Warning: ${former.join(' and ')} are from an earlier export, and no document writes them any more
if paper still uses them, it shows old results; remove them once nothing does\n`,
        ],
      ])
    }
    for (const path of [...former, 'paper/exports/mine.txt', 'paper/exports/tally/count.txt']) {
      expect(folder.has(path)).toBe(true)
    }
    for (const path of former) rmSync(`${folder.path}/${path}`)
    expect((await folder.qanat('document', 'status', 'paper')).stderr).toBe('')
  })

  test('runs the action again for a file of another action, or of the same with other arguments', async () => {
    const folder = await withCompiled()
    const reach = 'paper/exports/count/grid/all.txt.qanat.txt'
    const note = folder.read(reach).replace(/^seal: .*\n/m, '')
    folder.write(reach, sealed(note.replace('command: draw\n', 'command: draw --red\n'), 'seal: '))
    expect((await states(folder))[1]).toBe('stale 1 all.txt was exported after the action draw --red')
  })

  test('reports a file that was changed, lost or exported from another run', async () => {
    const folder = await withCompiled()
    folder.write('results/count/run_2/count.txt', 'changed by hand\n')
    folder.git('clean', '-fdxq', 'paper/exports/count/grid')
    expect(await states(folder)).toEqual([
      true,
      'stale 1 all.txt of run 1 is not exported yet',
      'stale 2 count.txt has changed since it was exported',
    ])
    await folder.qanat('rerun', 'count', '2')
    expect((await states(folder))[2]).toBe('stale 3 count.txt was exported from run 2')
  })

  test('launches a missing run once, however many commands compile at the same time', async () => {
    const folder = await withPaper()
    const codes = await Promise.all([1, 2, 3].map(() => folder.qanat('document', 'compile', 'paper')))
    expect(codes.map(({ code, stderr }) => [code, stderr])).toEqual(codes.map(() => [0, '']))
    expect((await folder.json('runs', '--json')).runs).toHaveLength(2)
  })

  test('waits for a live run instead of launching another', async () => {
    const folder = await withPaperOf('  - {experiment_name: it, run_args_file: wait.yaml, files: out}', {
      'wait.yaml': `fixed_args: {positional: {0: '${awaits('go')}; echo 1 >"$QANAT_STORAGE_PATH/out"'}}\n`,
    })
    await folder.qanat('run', '--detach', 'it', '-f', 'wait.yaml')
    expect((await states(folder))[1]).toMatch(/^missing 1 run 1 is (pending|running)$/)
    const compiling = folder.json('document', 'compile', 'paper', '--json')
    folder.write('.qanat/gate_go', '')
    expect((await compiling).compiled).not.toBeNull()
    expect((await folder.json('runs', '--json')).runs).toHaveLength(1)
  })
})

describe('a document that cannot be compiled', () => {
  test('shows the output of its script and stays not compiled', async () => {
    const folder = await withCompiled()
    const { code, stdout, stderr } = await folder.qanat('document', 'compile', 'paper', '--options', 'fail')
    expect([code, stdout]).toEqual([1, expect.stringContaining('compiled fail\n')])
    expect(stderr).toContain('the compile script of paper ended with code 1; the document is not compiled')
    expect((await states(folder))[0]).toBe(false)
    expect((await folder.qanat('document', 'list')).stdout).toContain('not compiled')
  })

  test('was interrupted by Ctrl-C if that ends its script', async () => {
    const folder = await withCompiled()
    const interrupted = await folder.qanat('document', 'compile', 'paper', '--options', 'interrupt')
    expect([interrupted.code, interrupted.stderr]).toEqual([
      ...[130, expect.stringContaining('the compile script of paper was interrupted; the document is not compiled\n')],
    ])
    expect((await states(folder))[0]).toBe(false)
  })

  test('needs a run that fails, and keeps what was exported', async () => {
    const folder = await withPaperOf('  - {experiment_name: it, run_args_file: a.yaml, files: out}', {
      'a.yaml': "fixed_args: {positional: {0: 'exit 3'}}\n",
    })
    const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
    expect(code).toBe(1)
    expect(stderr).toContain('run 1 of it with a.yaml did not finish (failed), and paper needs it\n')
    expect(stderr).toContain('qanat why 1')
    expect((await states(folder))[1]).toBe('missing  run 1: 0 of 1 groups finished')
    expect(folder.has('paper/exports')).toBe(false)
  })

  test('needs a file that the run does not have', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: figure.png}')
    const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
    const why = expect.stringContaining('run 1 of count has no figure.png')
    expect([code, stderr]).toEqual([1, why])
    const ids = async () => (await folder.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)
    // A run that never made the file is not launched again.
    expect(await folder.qanat('document', 'compile', 'paper')).toMatchObject({ code: 1, stderr: why })
    expect(await ids()).toEqual([1])
    expect((await states(folder))[1]).toBe('missing 1 run 1 has no figure.png')
  })

  test('names the command that completes a run of which some groups have finished', async () => {
    const failsOnce = '[ -e "$QANAT_PROJECT/.git/again" ] || [ "$QANAT_GROUP_INDEX" != 1 ] || exit 3\n'
    const folder = await withPaperOf('  - {experiment_name: count, run_args_file: grid.yaml, files: group_1/count.txt}')
    folder.write('count.sh', `${failsOnce}${folder.read('count.sh')}`)
    folder.commit()
    await folder.qanat('document', 'compile', 'paper')
    expect((await states(folder))[1]).toBe(
      'missing  run 1: 2 of 3 groups finished, and qanat run_retry 1 runs only the others again',
    )
    folder.write('.git/again', '')
    expect((await folder.qanat('run_retry', '1')).code).toBe(0)
    expect(await folder.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0, stderr: '' })
    expect((await folder.json('runs', '--json')).runs).toHaveLength(1)
  })

  test('with an uncommitted tree launches nothing', async () => {
    const folder = await withPaper()
    folder.write('count.sh', 'exit 1\n')
    folder.write('new.py', '')
    const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
    expect([code, stderr]).toEqual([2, expect.stringContaining('the working tree has uncommitted changes')])
    expect(folder.has('results')).toBe(false)
    const status = await folder.qanat('document', 'status', 'paper')
    expect([status.code, status.stderr]).toEqual([0, expect.stringContaining('uncommitted changes:\n   M count.sh\n')])
    const [, advised] = /Commit first: (.*)/.exec(stderr)!
    expect(status.stderr).toContain(`no run is launched before they are committed: ${advised}`)
    expect((await folder.shell(`${advised} >/dev/null; git status --short`)).stdout).toBe('')
  })

  test('tells of uncommitted changes as its status does, if it needs no run', async () => {
    const folder = await withCompiled()
    const told = async (word: string) => (await folder.qanat('document', word, 'paper')).stderr
    expect(await told('status')).toBe('')
    folder.write('count.sh', 'exit 1\n')
    const text = await told('status')
    expect(text).toBe('Warning: the runs do not contain these uncommitted changes:\n   M count.sh\n')
    expect(await told('compile')).toContain(text)
    const { dependencies, uncommitted } = await folder.json('document', 'status', 'paper', '--json')
    expect(uncommitted).toEqual(['count.sh'])
    const why = 'all.txt was made with uncommitted changes of 1 other file (count.sh)'
    expect(dependencies[0]).toMatchObject({ experiment: 'count', status: 'up to date', run: 1, changed: [], why })
    expect(dependencies[1]).toMatchObject({ status: 'up to date', run: 2, why: '' })
  })
})

describe('registering a document', () => {
  test('refuses impossible descriptions, with the position in the file', async () => {
    const folder = await withPaper()
    const errors = [
      ['name: two\npath: paper\n', 'compile_script: missing'],
      ['name: two\npath: gone\ncompile_script: x\n', 'the folder of the document two does not exist: gone'],
      ['{experiment_name: count, files: ../x}', "files[0]: '../x' is not inside the folder of the run"],
      ['{experiment_name: count, files: /etc/passwd}', 'is not inside the folder of the run'],
      ['{experiment_name: coun, files: x}', "no experiment 'coun'. Did you mean count?"],
      ['{experiment_name: count, files: x, action_name: drew}', "count has no action 'drew'. Did you mean draw?"],
      ['{experiment_name: count, files: x, runner: slurn}', 'slurn'],
      ['{experiment_name: count, files: x, runner_params: --threads 2}', 'the options are --submit_template'],
      ['{experiment_name: count, files: x, runner_params: --n_threads 0}', 'whole number above 0'],
      [
        '{experiment_name: count, files: x, runner_params: {--gpu: true, gpu: true}}',
        'the same as gpu, which is given too',
      ],
      ['{experiment_name: count, files: x, action_args: a, action_params: a}', 'the same as action_args'],
      ['{experiment_name: count, fils: x}', 'Did you mean files?'],
      ['{experiment_name: count}', 'names no files'],
      ['{experiment_name: count, files: x}\n  - {experiment_name: count, files: y}', 'a second dependency on count'],
    ] as const
    for (const [text, message] of errors) {
      const whole = text.startsWith('name')
        ? text
        : `name: two\npath: paper\ncompile_script: compile.sh\nexperiment_dependencies:\n  - ${text}\n`
      folder.write('two.yaml', whole)
      const { code, stderr } = await folder.qanat('document', 'new', 'two.yaml')
      expect([text, code, stderr]).toEqual([text, 2, expect.stringContaining(message)])
    }
    expect((await folder.json('document', 'list', '--json')).documents).toHaveLength(1)
  })

  test.each([
    ['needs all arguments', [], 'give all arguments: qanat document add_dependency DOCUMENT EXPERIMENT ARGSFILE FILE…'],
    ['needs files', ['paper', 'count', 'grid.yaml'], 'give all arguments'],
    ['refuses an option that is unknown', ['paper', 'count', '', 'a.txt', '--file', 'x'], 'unknown option --file'],
    [
      'refuses options of a launch that are unknown',
      ['paper', 'count', '', 'a.txt', '--runner_params', 'gpu'],
      "'gpu'",
    ],
    [
      'refuses a file outside of the run',
      ['paper', 'count', 'none.yaml', '../a.txt'],
      'not inside the folder of the run',
    ],
    ['refuses a plot with an unknown option', ['paper', 'count', '', '{plot: a.svg, z: 1}'], 'z: unknown key'],
    ['refuses a table twice', ['paper', 'count', '', '{compare: a.md}', '{compare: a.md}'], "'a.md' is there twice"],
  ])('without a terminal, adding a dependency %s', async (_, words, text) => {
    const folder = await withPaper()
    const before = (await folder.qanat('document', 'export', 'paper')).stdout
    expectError(await folder.qanat('document', 'add_dependency', ...words), 2, text)
    expect((await folder.qanat('document', 'export', 'paper')).stdout).toBe(before)
  })

  test('reads the words of the older program: action_params, and the options of a launch with their dashes', async () => {
    const folder = await withPaperOf(
      '  - {experiment_name: count, action_name: draw, action_params: --red, runner_params: {--n_threads: 2}, files: a.txt}',
    )
    const [dependency] = (await folder.json('document', 'status', 'paper', '--json')).document.experiment_dependencies
    expect(dependency).toMatchObject({ action_args: ['--red'], runner_params: { n_threads: '2' } })
  })

  test('runs make if no command is given for a makefile', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: count.txt}', {
      'site/Makefile': 'all:\n\techo made $(STYLE)\n',
      'site.yaml': 'name: site\npath: site\ncompile_script: Makefile\n',
    })
    await folder.qanat('document', 'new', 'site.yaml', '--yes')
    const { code, stdout } = await folder.qanat('document', 'compile', 'site', '--options', 'STYLE=wide')
    expect([code, stdout]).toEqual([0, expect.stringContaining('\nmade wide\n')])
  })

  test('views a document only when it is compiled', async () => {
    const folder = await withPaper()
    expectError(
      await folder.qanat('document', 'view', 'paper'),
      2,
      'the document paper is not compiled',
      'qanat document compile paper --view',
    )
    await folder.qanat('document', 'compile', 'paper')
    expect((await folder.qanat('document', 'view', 'paper')).stdout).toBe(`viewing ${folder.path}/paper\n`)
  })

  test('refuses a circle of documents', async () => {
    const folder = await withPaper()
    folder.write('data.yaml', 'name: data\npath: paper/exports/count\n')
    folder.write('loop.yaml', 'name: loop\nexecutable: count.sh\ndatasets: [data]\n')
    await folder.qanat('dataset', 'new', 'data.yaml')
    await folder.qanat('experiment', 'new', 'loop.yaml')
    const { code, stderr } = await folder.qanat('document', 'add_dependency', 'paper', 'loop', '', 'x')
    expect([code, stderr]).toEqual([2, expect.stringContaining('in a circle: paper needs paper')])
  })

  test('adds and removes dependencies, exports what it reads, and can be registered in a clone', async () => {
    const folder = await withPaperOf('  - {experiment_name: count, files: count.txt}')
    const added = await folder.qanat(
      ...['document', 'add_dependency', 'paper', 'count', 'grid.yaml', 'all.txt', '{compare: t.md, over: n}', '--yes'],
      ...['--action', 'draw', '--action_args', "--title 'a b'", '--runner', 'slurm', '--container', 'python:3.12'],
      ...['--runner_params', '--submit_template default --gpu', '--commit_sha', 'HEAD'],
    )
    expect([added.code, added.stderr]).toEqual([0, ''])
    const text = (await folder.qanat('document', 'export', 'paper')).stdout
    folder.write('same.yaml', text)
    expect((await folder.qanat('document', 'update', 'paper', '-f', 'same.yaml')).code).toBe(0)
    expect((await folder.qanat('document', 'export', 'paper')).stdout).toBe(text)
    await folder.qanat('export')
    folder.commit()
    folder.git('clone', '--quiet', '.', 'clone')
    await folder.qanatIn('clone', 'init')
    expect((await folder.qanatIn('clone', 'document', 'export', 'paper')).stdout).toBe(text)

    const [first, second] = (await folder.json('document', 'list', '--json')).documents[0].experiment_dependencies
    expect(first).toMatchObject({ experiment_name: 'count', run_args_file: null, files: ['count.txt'] })
    expect(second).toMatchObject({
      action_args: ['--title', 'a b'],
      runner: 'slurm',
      runner_params: { submit_template: 'default', n_threads: null, gpu: true },
      container: 'python:3.12',
      commit_sha: 'HEAD',
      files: ['all.txt', { compare: 't.md', over: 'n' }],
    })
    const vague = await folder.qanat('document', 'delete_dependency', 'paper', 'count')
    expect([vague.code, vague.stderr]).toEqual([
      2,
      expect.stringContaining("depends on count 2 times\n  add '' or grid.yaml"),
    ])
    expect((await folder.qanat('document', 'delete_dependency', 'paper', 'count', 'grid.yaml')).code).toBe(0)
    expect((await folder.qanat('experiment', 'delete', 'count', '--yes')).stderr).toContain(
      'the document paper depends on experiment count',
    )
    expect((await folder.qanat('document', 'delete_dependency', 'paper', 'count', '')).code).toBe(0)
    expect((await folder.qanat('document', 'status', 'paper')).stdout).toContain('It has no dependencies')
    expect((await folder.qanat('document', 'delete', 'paper', '--yes')).code).toBe(0)
    expect(statSync(`${folder.path}/paper/compile.sh`).isFile()).toBe(true)
    expect((await folder.qanat('document', 'status', 'paper')).stderr).toContain("no document 'paper'")
  })
})
