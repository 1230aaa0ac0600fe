import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { shellProject, until } from '../project.js'

const last = 'while [ "$1" != --storage_path ]; do shift; done; '
const draws = `${last}echo "drawn $QANAT_RUN_ID" > "$2/fig.svg"; cp "$2/fig.svg" shown.svg\n`

/** Run 1 has two groups that write the same and their own; the action of run 2 draws for a document. */
const withFiles = madeOnce(async () => {
  const folder = await shellProject()
  const own = `${last}echo same > "$2/same"; echo "$QANAT_RUN_ID.$QANAT_GROUP_INDEX" > "$2/own"; : > "$2/empty"`
  folder.write('it.sh', `${own}; echo "{\\"acc\\": $QANAT_GROUP_INDEX}" > "$2/metrics.json"\n`)
  folder.write('plot.sh', draws)
  folder.write('paper/compile.sh', '')
  folder.write(
    'made.yaml',
    `name: made
executable: it.sh
executable_command: sh
actions: [{plot: {name: plot, description: draws, executable: plot.sh, executable_command: sh}}]
`,
  )
  const dependency = '{experiment_name: made, action_name: plot, files: [fig.svg, {report: all.html}]}'
  folder.write(
    'paper.yaml',
    `name: paper\npath: paper\ncompile_script: compile.sh\ncompile_script_command: sh\nexperiment_dependencies: [${dependency}]\n`,
  )
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'made.yaml')
  await folder.qanat('document', 'new', '-f', 'paper.yaml')
  await folder.qanat('run', 'made', '-g', '--a 1', '-g', '--a 2')
  await folder.qanat('run', 'made')
  await folder.qanat('document', 'compile', 'paper')
  await folder.qanat('plot', 'made', '1', '-x', '--a', '-y', 'acc', '-o', 'acc.svg')
  return folder
})

describe('whence', () => {
  const matches = async (folder: Awaited<ReturnType<typeof withFiles>>, ...words: string[]) => {
    const { stdout, code } = await folder.qanat('whence', ...words, '--json')
    expect([words, code]).toEqual([words, 0])
    return JSON.parse(stdout).matches as Record<string, unknown>[]
  }

  test('finds the group, the action and the export that made a file, also a copy elsewhere of another name', async () => {
    const folder = await withFiles()
    mkdirSync(`${folder.path}-elsewhere`)
    try {
      const copy = `${folder.path}-elsewhere/figure 2`
      cpSync(`${folder.path}/results/made/run_1/group_1/own`, copy)
      expect(await matches(folder, copy)).toMatchObject([
        { kind: 'group', run: 1, experiment: 'made', group: 1, path: 'results/made/run_1/group_1/own', dirty: false },
      ])
      cpSync(`${folder.path}/paper/exports/made/fig.svg`, copy)
      rmSync(`${folder.path}/results/made/run_2/fig.svg`)
      const found = await matches(folder, copy)
      const script = { path: 'plot.sh', patch: null, commit: expect.stringMatching(/^[0-9a-f]{40}$/) }
      expect(found).toMatchObject([
        { kind: 'action', run: 2, group: null, action: 'plot', script, path: 'results/made/run_2/fig.svg' },
        { kind: 'action', run: 2, action: 'plot', path: 'shown.svg' },
        { kind: 'export', run: 2, document: 'paper', path: 'paper/exports/made/fig.svg', doubt: null },
      ])
      const place = ['kind', 'run', 'experiment', 'group', 'trash', 'action', 'called', 'script', 'tree']
      const code = ['commit', 'code', 'dirty', 'data', 'environments']
      expect(Object.keys(found[0]!)).toEqual([...place, ...code, 'path', 'document', 'command', 'changed', 'doubt'])
      const text = await folder.qanat('whence', copy)
      expect(text.stdout).toMatch(/was made by\n {2}the action plot on run 2 of made\n {4}results.*\n {4}called .*@/)
      expect(text.stdout).toContain('script plot.sh: commit ')
    } finally {
      rmSync(`${folder.path}-elsewhere`, { recursive: true })
    }
  })

  test('finds all groups that made the same, or those of the named runs, and of empty files only their place', async () => {
    const folder = await withFiles()
    writeFileSync(`${folder.path}/copy`, 'same\n')
    const places = async (...words: string[]) => (await matches(folder, ...words)).map(({ path }) => path)
    const [one, other] = ['results/made/run_1/group_0/same', 'results/made/run_1/group_1/same']
    expect(await places('copy')).toEqual(['results/made/run_2/same', one, other])
    expect(await places('copy', '1')).toEqual([one, other])
    // What a document or a plot names, too, is looked for in the named runs only.
    expect((await folder.qanat('whence', 'paper/exports/made/fig.svg', '1')).code).toBe(1)
    expect((await folder.qanat('whence', 'acc.svg', '2')).code).toBe(1)
    expect(await places('acc.svg', '1')).toHaveLength(1)
    expect(await places('results/made/run_1/group_1/empty')).toEqual(['results/made/run_1/group_1/empty'])
    writeFileSync(`${folder.path}/copy`, '')
    expect(await folder.qanat('whence', 'copy')).toMatchObject({ code: 1, stderr: expect.stringContaining('is empty') })
  })

  test('answers for several files, also in those of named runs, and its exit code says if one is not known', async () => {
    const folder = await withFiles()
    folder.write('3.svg', 'drawn 2\n')
    const files = async (...words: string[]) => {
      const outcome = await folder.qanat('whence', ...words, '--json')
      const found: { file: string; matches: { run: number }[] }[] = JSON.parse(outcome.stdout).files
      return [outcome.code, ...found.map(({ file, matches: all }) => [file, all.length > 0])]
    }
    expect(await files('shown.svg', '3.svg', 'made.yaml')).toEqual([
      1,
      ['shown.svg', true],
      ['3.svg', true],
      ['made.yaml', false],
    ])
    expect(await files('shown.svg', '3.svg', 'made', '2')).toEqual([0, ['shown.svg', true], ['3.svg', true]])
    expect(await files('results/made/run_1/group_0/own', '3.svg', '1')).toEqual([
      1,
      ['results/made/run_1/group_0/own', true],
      ['3.svg', false],
    ])
    const { code, stdout } = await folder.qanat('whence', 'shown.svg', 'made.yaml')
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^shown\.svg .* was made by\n(.*\n)+\nnothing in this project/),
    ])
    expect(await folder.qanat('whence', 'shown.svg', 'shwon.svg')).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining('there is no file shwon.svg') },
    })
  })

  test('says whether the code, the data and the script are still those that made a file', async () => {
    const folder = await withFiles()
    folder.write('.git/more.yaml', 'uses: [/lib/**]\n')
    await folder.qanat('experiment', 'update', 'made', '-f', '.git/more.yaml')
    const figure = 'results/made/run_2/fig.svg'
    const said = async (file: string) =>
      (await folder.qanat('whence', file)).stdout.match(/^ +(up|no longer) .*/m)?.[0].trim()
    expect(await said(figure)).toBe('up to date: nothing is known to have changed of its code, its data and its script')
    expect(await said('results/made/run_2/own')).toBe(
      'up to date: nothing is known to have changed of its code and its data',
    )
    expect((await matches(folder, figure))[0]).toMatchObject({ changed: [] })
    folder.write('plot.sh', `${draws}# more\n`)
    expect(await said(figure)).toBe('no longer up to date: plot.sh has changed since')
    expect(await said('results/made/run_2/own')).toContain('up to date: nothing')
    folder.write('lib/new.sh', 'more\n')
    expect(await said('results/made/run_2/own')).toBe('no longer up to date: lib/new.sh has changed since run 2')
    folder.commit()
    rmSync(`${folder.path}/plot.sh`)
    expect((await matches(folder, figure))[0]).toMatchObject({
      changed: ['lib/new.sh has changed since run 2', 'plot.sh is gone'],
    })
    await folder.shell('mv .git away')
    expect((await matches(folder, figure))[0]).toMatchObject({ changed: null })
    expect(await said(figure)).toBeUndefined()
    await folder.shell('mv away .git')
  })

  test('takes no file that git does not track for code, unless the run had it or the experiment says so', async () => {
    const folder = await withFiles()
    const said = async (file: string) =>
      (await folder.qanat('whence', file)).stdout.match(/^ +(up|no longer) .*/m)?.[0].trim()
    const isSame = 'up to date: nothing is known to have changed of its code and its data'
    folder.commit()
    await folder.qanat('run', 'made', '-g', '--a 1', '-g', '--a 2')
    await folder.qanat('plot', 'made', '3', '-x', '--a', '-y', 'acc', '-o', 'new.svg')
    folder.write('notes.txt', '1')
    expect(folder.git('status', '--porcelain')).toContain('?? new.svg')
    expect(await said('new.svg')).toBe(isSame)
    await folder.qanat('run', '--allow_dirty', 'made', '--a', '10')
    expect(await said('results/made/run_4/own')).toBe(isSame)
    folder.write('notes.txt', '2')
    expect(await said('results/made/run_4/own')).toBe('no longer up to date: notes.txt has changed since run 4')
    expect(await said('new.svg')).toBe(isSame)
  })

  test('reads what plots and reports say of themselves, and does not believe what was edited', async () => {
    const folder = await withFiles()
    expect(await matches(folder, 'acc.svg')).toMatchObject([
      { kind: 'plot', run: 1, command: ['made', '1', '--x=--a', '--y=acc', '--width=120'], doubt: null },
    ])
    expect(await matches(folder, 'paper/exports/made/all.html')).toMatchObject([
      { kind: 'export', run: 2, document: 'paper' },
      { kind: 'report', run: 2, command: ['made', '2'] },
    ])
    const note = 'paper/exports/made/fig.svg.qanat.txt'
    folder.write(note, folder.read(note).replace('run: 2', 'run: 1'))
    const doubt = expect.stringContaining('the note beside it was edited')
    expect((await matches(folder, 'paper/exports/made/fig.svg')).at(-1)).toMatchObject({ kind: 'export', doubt })
    const status = await folder.qanat('document', 'status', 'paper')
    expect(status.stdout).toContain('the note on fig.svg was edited')
  })

  test('of a file that nothing in the project has made, or of no file, is an error', async () => {
    const folder = await withFiles()
    const { code, stdout, stderr } = await folder.qanat('whence', 'made.yaml')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/nothing in this project is known to have made made\.yaml: none of \d+ files of 2 runs/)
    const errors = [
      [['gone'], 'there is no file gone'],
      [['paper'], 'paper is a folder: give one of its files'],
      [['made.yaml', '9'], 'there is no run 9'],
    ] as const
    for (const [words, message] of errors) {
      expect(await folder.qanat('whence', ...words)).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringContaining(message) },
      })
    }
  })

  test('finds what a run in the trash has made, and says that it is there', async () => {
    const folder = await withFiles()
    writeFileSync(`${folder.path}/copy`, 'drawn 2\n')
    rmSync(`${folder.path}/shown.svg`)
    rmSync(`${folder.path}/paper`, { recursive: true })
    await folder.qanat('run_delete', '2', '--yes')
    const trashed = { run: 2, trash: true, commit: expect.stringMatching(/^[0-9a-f]{40}$/) }
    expect(await matches(folder, 'copy')).toMatchObject([
      { ...trashed, kind: 'action', action: 'plot', path: 'results/.trash/run_2/fig.svg' },
      { ...trashed, kind: 'action', path: 'shown.svg' },
    ])
    expect((await folder.qanat('whence', 'copy')).stdout).toContain('run 2 is in the trash: qanat trash restore 2')
    writeFileSync(`${folder.path}/copy`, 'same\n')
    const [first, second, last] = await matches(folder, 'copy')
    expect([first, second, last]).toMatchObject([
      { run: 1, trash: false },
      { run: 1, trash: false },
      { ...trashed, kind: 'group', path: 'results/.trash/run_2/same' },
    ])
    await folder.qanat('trash', 'empty', '--yes')
    expect((await matches(folder, 'copy')).map(({ run }) => run)).toEqual([1, 1])
    await folder.qanat('run_delete', '1', '--yes')
    expect(await matches(folder, 'acc.svg')).toMatchObject([{ kind: 'plot', run: 1, trash: true, doubt: null }])
  })

  test('shows the best few of many that made the same, beginning with the file itself, and counts the others', async () => {
    const folder = await withFiles()
    await folder.qanat(
      'run',
      '--allow_dirty',
      'made',
      ...Array.from({ length: 9 }, (_, at) => ['-g', `--a ${at}`]).flat(),
    )
    const { stdout } = await folder.qanat('whence', 'results/made/run_1/group_1/same')
    const titles = stdout.split('\n').filter(line => /^ {2}\S/.test(line))
    expect(titles.slice(0, 2)).toEqual(['  group 1.1 of made', '  group 3.0 of made'])
    expect(titles.slice(5)).toEqual([
      '  and 7 more with the same content, of runs 3, 2 and 1',
      '  --json lists them, and RUN … behind the file looks only in these runs',
    ])
    expect(await matches(folder, 'results/made/run_1/group_1/same')).toHaveLength(12)
  })

  test.each(['size', 'hash'])(
    'names no maker of what was put into the folder of a run or edited there, with %s',
    async kept => {
      const folder = await withFiles()
      folder.write('.git/kept.yaml', `manifest: ${kept}\n`)
      await folder.qanat('experiment', 'update', 'made', '-f', '.git/kept.yaml')
      await folder.qanat('run', '--allow_dirty', 'made', '-g', '--a 1', '-g', '--a 2')
      await until(async () =>
        (await folder.qanat('run_show', '3')).stdout.includes(kept === 'hash' ? 'hashed' : 'Left:'),
      )
      const place = 'results/made/run_3/group_1'
      expect(await matches(folder, `${place}/own`)).toMatchObject([{ run: 3, group: 1, doubt: null }])
      folder.write(`${place}/own`, '9.9\n')
      folder.write(`${place}/metrics.json`, '{"acc": 99}\n')
      folder.write(`${place}/new.svg`, 'by hand')
      folder.write('results/made/run_3/beside.svg', 'beside')
      expect(await matches(folder, `${place}/own`)).toMatchObject([
        { doubt: `it ${kept === 'hash' ? 'has' : 'may have'} changed since run 3 ended` },
      ])
      expect(await matches(folder, `${place}/metrics.json`)).toMatchObject([
        { doubt: expect.stringMatching(/^it has changed since run 3 ended: it had \d+ B then$/) },
      ])
      expect(await matches(folder, `${place}/new.svg`)).toMatchObject([{ doubt: 'it was not there when run 3 ended' }])
      expect(await matches(folder, 'results/made/run_3/beside.svg')).toMatchObject([
        { doubt: 'it is in the folder of the run, but in that of no group' },
      ])
      const crate = await folder.qanat('export', '--crate', '3', '-o', '.git/crate')
      expect(crate.stderr).toMatch(
        /not in the crate: which group or action has made group_1\/metrics\.json, group_1\/new\.svg(, group_1\/own)? \(they have changed since the run ended, or came later\)/,
      )
      const graph = JSON.parse(folder.read('.git/crate/ro-crate-metadata.json'))['@graph'] as { result?: object[] }[]
      const results = JSON.stringify(graph.map(({ result }) => result))
      expect(results).toContain('group_0/own')
      expect(results).not.toMatch(/group_1\/(metrics|new)/)
      await folder.qanat('run_delete', '3', '--yes')
      expect(await matches(folder, 'results/.trash/run_3/group_0/own')).toMatchObject([{ run: 3, trash: true }])
    },
  )
})
