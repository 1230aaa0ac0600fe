import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { groups, shellProject } from '../project.js'

/** Run 3 is a rerun of run 1, and run 2 has other groups with the same parameters. */
const withRerun = madeOnce(async () => {
  const folder = await shellProject()
  const leaves = `echo "{\\"acc\\": 0.$QANAT_RUN_ID}" > "$QANAT_STORAGE_PATH/metrics.json"
printf 'step,loss\\n1,2\\n' > "$QANAT_STORAGE_PATH/history.csv"`
  folder.write('made.sh', `${leaves}\n`)
  folder.write(
    'made.yaml',
    'name: made\nexecutable: made.sh\nexecutable_command: sh\nmetrics: [metrics.json, history.csv]\n',
  )
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'made.yaml')
  for (const _ of [1, 2]) await folder.qanat('run', '-V', '--model a b', 'made')
  await folder.qanat('rerun', '1')
  return folder
})

const note = 'run 3 is a rerun of run 1: run 1 is not counted'

describe('a run and its rerun', () => {
  test('are not both averaged by compare, also where they are named', async () => {
    const folder = await withRerun()
    const { stdout } = await folder.qanat('compare', 'made', '--repeats', '--metrics', 'acc')
    expect(stdout).toContain('4 groups of runs 2, 3 ·')
    expect(stdout).toContain('0.25 ± 0.07 (2)')
    expect(stdout).toContain(`  ${note}\n`)
    const named = await folder.json('compare', 'made', '1', '3', '--repeats', '--json')
    expect(named).toMatchObject({ runs: [3], not_counted: [{ run: 1, groups: 2 }] })
    expect(named.cells.map(({ groups }: any) => groups)).toEqual([['3.0'], ['3.1']])
    expect(await folder.json('compare', 'made', '1', '--json')).toMatchObject({ runs: [1], not_counted: [] })
    expect((await folder.qanat('compare', 'made', '1.0', '3.0')).stdout).toMatch(/acc +0.1 +0.3/)
  })

  test('and stderr names what does not count beside a table for other programs', async () => {
    const folder = await withRerun()
    const superseded =
      '2 groups do not count: of groups with the same parameters, the newest that has finished counts; --repeats averages them'
    for (const format of ['--csv', '--md', '--latex']) {
      const { stdout, stderr } = await folder.qanat('compare', 'made', format)
      expect(stderr).toBe(`Warning: ${note}\nWarning: ${superseded}\n`)
      expect(await folder.qanat('compare', 'made', format, '--quiet')).toEqual({ code: 0, stdout, stderr: '' })
    }
    expect(await folder.json('compare', 'made', '--json')).toMatchObject({ notes: [note], superseded: 2 })
  })

  test('do not both have rows in collected tables, but in sql', async () => {
    const folder = await withRerun()
    for (const options of [[], ['--series'], ['--files', 'history.csv']]) {
      const { stdout } = await folder.qanat('collect', 'made', ...options, '-o', 't.csv')
      expect(stdout).toContain(`  ${note}\n`)
      const rows = folder.read('t.csv').trim().split('\n').slice(1)
      expect(rows.map(row => row.split(',', 2).join('.'))).toEqual(['2.0', '2.1', '3.0', '3.1'])
    }
    expect((await folder.json('sql', 'select run from made', '--json')).rows).toHaveLength(6)
  })

  test('are not both drawn or reported', async () => {
    const folder = await withRerun()
    const plotted = await folder.qanat('plot', 'made', '-y', 'acc', '-o', 'f.svg')
    expect(plotted.stdout).toContain('of 2 groups of run 3\n')
    expect(plotted.stdout).toContain(`  ${note}\n`)
    await folder.qanat('report', 'made', '-o', 'r.html')
    expect(folder.read('r.html').split(note)).toHaveLength(3)
    expect(folder.read('r.html')).toContain(`Note: ${note}.`)
  })

  test('are both compared and reported if the data have changed between them', async () => {
    const folder = await shellProject()
    folder.write('.gitignore', `${folder.read('.gitignore')}data/\n`)
    folder.write('data/d.txt', '1\n')
    folder.write(
      'made.sh',
      `echo "{\\"v\\": $(cat "$QANAT_PROJECT/data/d.txt")}" > "$QANAT_STORAGE_PATH/metrics.json"\n`,
    )
    folder.write('d.yaml', 'name: d\npath: data\n')
    folder.write('made.yaml', 'name: made\nexecutable: made.sh\nexecutable_command: sh\ndatasets: [d]\n')
    folder.commit()
    await folder.qanat('dataset', 'new', '-f', 'd.yaml')
    await folder.qanat('experiment', 'new', '-f', 'made.yaml')
    await folder.qanat('run', 'made')
    folder.write('data/d.txt', '222\n')
    await folder.qanat('rerun', '1')
    const { stdout } = await folder.qanat('compare', 'made')
    expect(stdout).toMatch(/d as run 1 +1 (.*\n)+ +d as run 2 +222 /)
    expect((await folder.qanat('report', 'made', '-o', 'r.html')).stdout).toBe('r.html: report on 2 groups\n')
    expect(folder.read('r.html')).toContain('d as run 1')
    await folder.shell("sed -i 's/executable_command: sh/executable_command: sh -u/' made.yaml")
    await folder.qanat('experiment', 'update', 'made', '-f', 'made.yaml')
    folder.commit()
    await folder.qanat('run', 'made')
    // Only what --by names keeps them apart, and a plot has neither.
    const named = await folder.json('compare', 'made', '--by', 'executable', '--json')
    expect(named.cells.map(({ groups }: any) => groups)).toEqual([['2.0'], ['3.0']])
    await folder.qanat('report', 'made', '-o', 'r.html')
    await folder.qanat('plot', 'made', '1', '2', '3', '-y', 'v', '-o', 'f.svg')
    const labels = (file: string) => /<svg.*?<\/svg>/s.exec(folder.read(file))![0].match(/[^>]+(?=<\/text>)/g)
    const [before, captions] = folder.read('r.html').split('id="Plots"')
    const left = 'run 2 is a rerun of run 1: run 1 is not counted'
    expect([before!.includes(left), captions!.includes(`<figcaption>${left} · <code>`)]).toEqual([false, true])
    expect(labels('f.svg')).toContain('sh made.sh')
    expect(labels('r.html')).toEqual(labels('f.svg'))
  })

  test('have not both failed, and a group that finished in the rerun has not', async () => {
    const folder = await shellProject()
    const fails = (name: string) => `[ -e "$QANAT_PROJECT/results/${name}" ] || { echo no ${name} >&2; exit 1; }`
    await folder.qanat('run', 'it', ...groups(fails('a'), fails('a'), fails('b'), 'true'))
    folder.write('results/a', '')
    await folder.qanat('rerun', '1')
    const both = 'run 2 is a rerun of run 1: run 1 is not counted'
    expect((await folder.qanat('failures', 'it')).stdout).toBe(`\
Run 2 of it: 1 of 4 groups failed
  1 × exit 1  no b  2.2  qanat why 2.2
  ${both}
`)
    expect(await folder.json('failures', 'it', '--json')).toMatchObject({
      ...{ runs: [2], not_counted: [{ run: 1, groups: 4 }], notes: [both], failed: 1, total: 4 },
    })
    expect(await folder.json('failures', '1', '--json')).toMatchObject({ failed: 3, total: 4, not_counted: [] })
    await folder.qanat('report', 'it', '-o', 'r.html')
    expect(folder.read('r.html')).toContain('1 of 4 groups did not finish')
    folder.write('results/b', '')
    await folder.shell('rm results/a')
    await folder.qanat('rerun', '1')
    expect((await folder.qanat('failures', 'it')).stdout).toBe(`\
Runs 2, 3 of it: none of 4 groups failed
  runs 2 and 3 are reruns of run 1: run 1, 2 groups of run 2 and 2 groups of run 3 are not counted
`)
    await folder.qanat('report', 'it', '-o', 'all.html')
    expect(folder.read('all.html')).toMatch(/ \(4 of 4 groups\)/)
  })
})
