import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { shellProject } from '../project.js'

const shows = `printf '<%s>' "$@"; echo " \${QANAT_RUN_ID-none}"\n`
/** Writes one figure of all runs into the project, and a file into the folder of each. */
const draws = `echo drawn > figure.svg
while [ $# -gt 0 ]; do [ "$1" != --storage_path ] || echo "$2" > "$2/part.txt"; shift; done
`

/** Runs 1 to 3 of `it`, the second one with two groups, and run 4 of another experiment. */
const withRuns = madeOnce(async () => {
  const folder = await shellProject()
  folder.write('show.sh', shows)
  folder.write('draw.sh', draws)
  folder.write('read.sh', 'cat "$2"; cp "$2" manifest.json\n')
  const action = (name: string, script: string, runs: string) =>
    `{name: ${name}, executable: ${script}, executable_command: sh${runs}}`
  folder.write(
    'it.yaml',
    `name: it
executable: it.sh
executable_command: sh
actions:
  - ${action('show', 'show.sh', ', runs: several')}
  - ${action('draw', 'draw.sh', ', runs: several')}
  - ${action('read', 'read.sh', ', runs: manifest')}
  - ${action('one', 'show.sh', '')}
`,
  )
  folder.write('other.yaml', 'name: other\nexecutable: it.sh\nexecutable_command: sh\n')
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('experiment', 'new', '-f', 'other.yaml')
  await folder.qanat('run', 'it', 'true', '--lr', '0.1')
  await folder.qanat('run', 'it', 'true', '-g', '--lr 1', '-g', '--lr 2')
  await folder.qanat('run', 'it', 'true')
  await folder.qanat('run', 'other', 'true')
  return folder
})

describe('an action on several runs', () => {
  const recorded = async (folder: Awaited<ReturnType<typeof withRuns>>, ...words: string[]) =>
    (await folder.json('action', '--list', ...words, '--json')).actions

  test('is called once with the folder of each run and group, in the order in which they were typed', async () => {
    const folder = await withRuns()
    const at = (path: string) => `<--storage_path><${folder.path}/results/it/${path}>`
    const shown = async (...words: string[]) => (await folder.qanat('action', ...words)).stdout
    expect(await shown('show', '3', '2.1', '1')).toBe(`${at('run_3')}${at('run_2/group_1')}${at('run_1')} none\n`)
    expect(await shown('it', 'show', '1-3', '2', 'a', '7')).toBe(
      `<a><7>${at('run_1')}${at('run_2')}${at('run_3')} none\n`,
    )
    expect(await shown('show', '1-2', '--', '3')).toBe(`<3>${at('run_1')}${at('run_2')} none\n`)
    expect(await shown('it', 'show')).toBe(`${at('run_3')} 3\n`)
    expect(await shown('show', '2', '--group_no', '0')).toBe(`${at('run_2/group_0')} 2\n`)
    expect(await shown('it', 'show', 'latest', '@')).toBe(`${at('run_3')} 3\n`)
  })

  test('that does not say that it takes several gets further numbers as its arguments', async () => {
    const folder = await withRuns()
    const { stdout, stderr } = await folder.qanat('action', 'one', '1', '3', '5-9')
    expect([stdout, stderr]).toEqual([`<3><5-9><--storage_path><${folder.path}/results/it/run_1> 1\n`, ''])
    const several = await folder.qanat('action', 'one', '1', '2', '3')
    expect(several.stderr).toContain('2 and 3 went to the script of one as arguments, and it works on run 1 only')
    expect((await folder.qanat('action', 'one', '1', '--', '3')).stderr).toBe('')
  })

  test('reads its runs from a manifest if it says so', async () => {
    const folder = await withRuns()
    const { stdout } = await folder.qanat('action', 'read', '1', '2.1')
    const run = `${folder.path}/results/it`
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ action: 'read', experiment: 'it' },
      targets: [
        {
          ...{ run: 1, group: null, storage_path: `${run}/run_1`, tags: [], dirty: false },
          groups: [{ index: 0, status: 'finished', storage_path: `${run}/run_1`, parameters: { '--lr': '0.1' } }],
        },
        {
          ...{ run: 2, group: 1, storage_path: `${run}/run_2/group_1` },
          groups: [{ index: 1, storage_path: `${run}/run_2/group_1`, parameters: { '--lr': '2' } }],
        },
      ],
    })
    expect((await recorded(folder))[0].runs).toEqual([
      { id: 1, groups: null },
      { id: 2, groups: [1] },
    ])
  })

  test('is found from each of its runs, also from what is left of them in a new database', async () => {
    const folder = await withRuns()
    const called = await folder.qanat('action', 'draw', '2.0', '3', '1')
    expect(called.stderr).toMatch(/^Made .*part\.txt/)
    const [action] = await recorded(folder)
    expect(action.runs.map(({ id }: { id: number }) => id)).toEqual([2, 3, 1])
    expect(action.made.map(({ path }: { path: string }) => path).sort()).toEqual([
      'figure.svg',
      ...['run_1', 'run_2/group_0', 'run_3'].map(run => `results/it/${run}/part.txt`),
    ])
    for (const run of ['1', '2', '3']) expect(await recorded(folder, run)).toEqual([action])
    expect((await folder.qanat('run_show', '3')).stdout).toContain('Actions: draw: qanat action --list 3')
    expect((await folder.qanat('action', '--list')).stdout).toMatch(/draw +2\.0 3 1 /)
    const whence = await folder.qanat('whence', 'figure.svg')
    expect(whence.stdout).toMatch(
      /by\n {2}the action draw on runs 3 and 1 and group 2\.0 of it\n {4}figure\.svg\n {4}called .*\n {4}command \S+/,
    )
    expect(whence.stdout).toMatch(/ {4}run 1: commit .*\n {4}run 2: commit .*\n {4}run 3: commit /)
    for (const run of [1, 2, 3]) {
      const { matches } = await folder.json('whence', 'figure.svg', String(run), '--json')
      expect(matches).toMatchObject([{ kind: 'action', run, action: 'draw' }])
    }
    await folder.qanat('run_delete', '2', '--yes')
    expect(await recorded(folder, '3')).toEqual([action])
    await folder.qanat('trash', 'empty', '--yes')
    rmSync(`${folder.path}/.qanat/database.db`)
    await folder.qanat('init')
    await folder.qanat('doctor', '--repair')
    for (const run of ['1', '3']) expect(await recorded(folder, run)).toEqual([action])
    expect(await recorded(folder)).toEqual([action])
  })

  test('of two experiments, on a folder that is gone, or with --group_no is an error before anything is called', async () => {
    const folder = await withRuns()
    rmSync(`${folder.path}/results/it/run_3`, { recursive: true })
    const errors = [
      [['show', '1', '4'], 'run 1 is of it, and run 4 is of other'],
      [['it', 'show', '1', '4'], 'run 4 belongs to other'],
      [['show', '1', '3'], 'the folder of the run is gone'],
      [['show', '1', '9'], 'there is no run 9'],
      [['show', '1', '2.7'], 'its groups are 0 to 1'],
      [['show', '1', '2', '--group_no', '0'], 'write the groups as RUN.GROUP, as in: 1.0'],
    ] as const
    for (const [words, message] of errors) {
      expect(await folder.qanat('action', ...words)).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringContaining(message) },
      })
    }
    expect(await recorded(folder)).toEqual([])
  })

  test('keeps what its description says', async () => {
    const folder = await withRuns()
    const { stdout } = await folder.qanat('experiment', 'export', 'it')
    folder.write('again.yaml', stdout.replace('name: it\n', 'name: again\n'))
    expect(await folder.qanat('experiment', 'new', '-f', 'again.yaml')).toMatchObject({ code: 0 })
    const { experiment } = await folder.json('experiment', 'status', 'again', '--json')
    expect(experiment.actions.map(({ runs = null }) => runs)).toEqual(['several', 'several', 'manifest', null])
    folder.write('wrong.yaml', stdout.replace('runs: manifest', 'runs: many'))
    const wrong = await folder.qanat('experiment', 'update', 'it', '-f', 'wrong.yaml')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('one of several, manifest')])
  })
})
