import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Folder } from '../project.js'
import { states, withPaperOf } from './paper.js'

const grid = "varying_args: {range: {options: {'--n': [0, 3, 1]}}}\n"
const dependency = (files: string) => `  - {experiment_name: measured, run_args_file: grid.yaml, files: [${files}]}`
const usual =
  '{compare: table.tex, over: n, metrics: acc}, {plot: acc.svg, x: --n, y: acc}, {report: all.html}, out.txt'

/** A project whose document needs what is made of the metrics of its runs. */
async function paper(files = usual): Promise<Folder> {
  const folder = await withPaperOf('  - {experiment_name: count, files: count.txt}', {
    'measured.sh':
      'while [ "$1" != --storage_path ]; do n=$1; shift; done\necho "{\\"acc\\": $n.5}" >"$2/metrics.json"\necho x >"$2/../out.txt"\n',
    'measured.yaml': 'name: measured\nexecutable: measured.sh\nexecutable_command: sh\n',
    'grid.yaml': grid,
  })
  expect((await folder.qanat('experiment', 'new', 'measured.yaml')).stderr).toBe('')
  await describe(folder, files)
  return folder
}

/** The description lies where it does not count as a change of the code. */
async function describe(folder: Folder, files: string): Promise<void> {
  const text = folder.read('paper.yaml')
  folder.write('.git/paper.yaml', `${text.slice(0, text.indexOf('  - {experiment_name'))}${dependency(files)}\n`)
  expect((await folder.qanat('document', 'update', 'paper', '-f', '.git/paper.yaml')).stderr).toBe('')
}

const exported = (name: string) => `paper/exports/measured/grid/${name}`

test('a document can depend on a comparison, a plot and a report of a run', async () => {
  const folder = await paper()
  expect(await states(folder)).toEqual([false, 'missing  no run with these arguments'])
  const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
  expect([code, stderr]).toEqual([0, ''])
  expect(await states(folder)).toEqual([true, 'up to date 1'])
  expect(folder.read(exported('table.tex'))).toContain('1.5 $\\pm$ 1.0 (3)')
  expect(folder.read(exported('acc.svg'))).toContain('<svg')
  expect(folder.read(exported('all.html'))).toContain('<html')
  const note = parse(folder.read(exported('table.tex.qanat.txt')))
  expect(note).toMatchObject({
    ...{ document: 'paper', experiment: 'measured', run: 1, run_args: grid },
    made: { command: 'qanat compare measured 1 --over n --metrics acc --latex' },
  })
  expect((await folder.shell(note.made.command)).stdout).toBe(folder.read(exported('table.tex')))
  const again = parse((await folder.qanat('document', 'export', 'paper')).stdout)
  expect(again.experiment_dependencies[0].files).toContainEqual({ compare: 'table.tex', over: 'n', metrics: 'acc' })
})

test('remarks for which a table or a plot has no place are printed while it is made', async () => {
  const folder = await paper('{compare: table.md, metrics: acc}, {plot: acc.svg, x: --n}')
  const groups = [0, 0, 1].map(n => `{options: {'--n': ${n}}}`)
  folder.write('grid.yaml', `varying_args: {groups: [${groups}]}\n`)
  folder.commit()
  const { code, stderr } = await folder.qanat('document', 'compile', 'paper')
  expect(code).toBe(0)
  const told = '1 group does not count: of groups with the same parameters, the newest that has finished counts'
  expect(stderr).toBe(`Warning: table.md: ${told}; --repeats averages them\nWarning: acc.svg: ${told}\n`)
})

test('the note of a product says that an action was called before, and not that the action made it', async () => {
  const folder = await withPaperOf(
    '  - {experiment_name: count, run_args_file: grid.yaml, action_name: draw, files: [all.txt, {report: all.html}]}',
  )
  await folder.qanat('document', 'compile', 'paper')
  const note = (name: string) => parse(folder.read(`paper/exports/count/grid/${name}.qanat.txt`))
  const action = expect.objectContaining({ command: 'draw', script: 'draw.sh' })
  expect(note('all.txt')).toMatchObject({ action, made: null })
  const made = { command: expect.stringMatching(/^qanat report /), after_action: action }
  expect(note('all.html')).toMatchObject({ action: null, made })
  expect(await states(folder)).toEqual([true, 'up to date 1'])
  folder.write('draw.sh', `${folder.read('draw.sh')}# more\n`)
  folder.commit()
  folder.write('.git/paper.yaml', folder.read('paper.yaml').replace('all.txt, ', ''))
  await folder.qanat('document', 'update', 'paper', '-f', '.git/paper.yaml')
  expect(await states(folder)).toEqual([true, 'stale 1 draw.sh has changed since all.html was made'])
})

test('a product is stale after a change of its options, of its file or of the code, and is made anew', async () => {
  const folder = await paper()
  const compile = async () => expect((await folder.qanat('document', 'compile', 'paper')).code).toBe(0)
  await compile()
  await describe(folder, usual.replace('over: n', 'by: n'))
  expect(await states(folder)).toEqual([true, 'stale 1 table.tex was made by other options'])
  await compile()
  expect(folder.read(exported('table.tex'))).toContain('2.5')
  folder.write(exported('acc.svg'), 'edited')
  expect(await states(folder)).toEqual([true, 'stale 1 acc.svg has changed since it was made'])
  await compile()
  expect(await states(folder)).toEqual([true, 'up to date 1'])
  folder.write('measured.sh', `${folder.read('measured.sh')}# changed\n`)
  folder.commit()
  expect((await states(folder))[1]).toBe('stale  measured.sh has changed since run 1')
  await compile()
  expect(await states(folder)).toEqual([true, 'up to date 2'])
  expect(folder.read(exported('acc.svg'))).toContain('<svg')
})

test('what a compilation makes is not taken for a file of the user by another one at the same time', async () => {
  const folder = await paper()
  const compilations = await Promise.all([1, 2, 3].map(() => folder.qanat('document', 'compile', 'paper')))
  expect(compilations.map(({ code, stderr }) => [code, stderr])).toEqual(compilations.map(() => [0, '']))
  const names = ['acc.svg', 'all.html', 'out.txt', 'table.tex']
  expect(folder.list(exported('.'))).toEqual(names.flatMap(name => [name, `${name}.qanat.txt`]))
})

test('a mistake in what a document needs is found as it is registered, or says which file cannot be made', async () => {
  const folder = await paper('{compare: table.tex, metrics: accc}')
  const failed = await folder.qanat('document', 'compile', 'paper')
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining('table.tex of the document paper cannot be made: --metrics accc: no group has this metric'),
  ])
  expect((await states(folder))[0]).toBe(false)
  const text = folder.read('.git/paper.yaml')
  for (const [files, message] of [
    [
      '{compare: table.doc}',
      "files[0].compare: expected a name without a folder that ends with .tex or .md or .csv or .json, not 'table.doc'",
    ],
    ['{plot: a.svg, z: 1}', 'files[0].z: unknown key'],
    ['{compare: a.csv, ci: normal}', "files[0].ci: expected t, bootstrap or bootstrap:SEED, not 'normal'"],
    ['{over: seed}', 'files[0]: expected one of compare, plot, report with the name of a file'],
    ['{plot: a.svg}, a.svg', "files[1]: 'a.svg' is there twice"],
  ] as const) {
    folder.write('.git/paper.yaml', text.replace('{compare: table.tex, metrics: accc}', files))
    const { code, stderr } = await folder.qanat('document', 'update', 'paper', '-f', '.git/paper.yaml')
    expect([code, stderr]).toEqual([2, expect.stringContaining(`experiment_dependencies[0].${message}`)])
    expect(stderr).toMatch(/^Error: \.git\/paper\.yaml:\d+:\d+: /)
  }
})
