import { describe, expect, test } from 'vitest'
import { usualIgnores } from '../../../src/domain/code-used.js'
import { expectError } from '../expectations.js'
import { type Folder, projectWith } from '../project.js'

const kinds = ['dataset', 'experiment'] as const

/** What registers a thing with these lines. */
const complete = { dataset: 'path: data\n', experiment: 'executable: it.sh\n' }

async function project(): Promise<Folder> {
  const folder = await projectWith('true')
  folder.write('data/x.csv', '1\n')
  return folder
}

/** `qanat KIND new` or `update NAME` with a file of that text, which is `sub/file.yaml`. */
function register(folder: Folder, kind: string, text: string, name?: string) {
  folder.write('sub/file.yaml', text)
  return folder.qanat(kind, ...(name === undefined ? ['new'] : ['update', name]), '-f', 'sub/file.yaml')
}

async function namesOf(folder: Folder, kind: (typeof kinds)[number]): Promise<string[]> {
  const listed = await folder.json(kind, 'list', '--json')
  return listed[`${kind}s`].map((thing: { name: string }) => thing.name)
}

test.each([
  ['experiment new -f /dev/stdin', 'name: piped\\nexecutable: it.sh'],
  ['experiment update it -f /dev/stdin', 'description: piped'],
])('%s reads what is piped into it', async (line, text) => {
  const folder = await project()
  const { stderr, code } = await folder.shell(`printf '${text}\\n' | qanat ${line}`)
  expect([code, stderr]).toEqual([0, ''])
  expect((await folder.qanat('experiment', 'list')).stdout).toContain('piped')
})

/** Registers every text from a file; all of them have to be refused. */
async function expectRefusals(
  kind: (typeof kinds)[number],
  cases: readonly [text: string, ...expected: string[]][],
): Promise<void> {
  const folder = await project()
  await register(folder, 'dataset', 'name: flowers\npath: data\n')
  for (const [text, ...expected] of cases) {
    const outcome = await register(folder, kind, text)
    expectError(outcome, 2, ...expected.map(each => each.replace(/^:/, 'sub/file.yaml:')))
    expect(outcome.stderr.length).toBeLessThan(400)
  }
  expect(await namesOf(folder, kind)).toEqual([kind === 'experiment' ? 'it' : 'flowers'])
}

describe('a dataset', () => {
  test('is registered, listed, changed and deleted', async () => {
    const folder = await project()
    const iris = { name: 'iris', description: '150 flowers', path: 'data', tags: ['flowers', 'small'] }
    folder.write('iris.yaml', 'name: iris\ndescription: 150 flowers\npath: ./data/\ntags: [flowers, small, flowers]\n')
    const made = await folder.qanat('dataset', 'new', 'iris.yaml')
    expect([made.code, made.stdout, made.stderr]).toEqual([0, expect.stringContaining('Dataset iris registered'), ''])
    expect(await folder.json('dataset', 'list', '--json')).toMatchObject({ datasets: [iris] })
    expect((await folder.qanat('dataset', 'list')).stdout).toBe(
      'ID  Name  Path  Fingerprint  Tags            Description\n1   iris  data  stat         flowers, small  150 flowers\n',
    )
    expect((await folder.qanat('dataset', 'list', '--csv')).stdout).toBe(
      'id,name,path,fingerprint,tags,description\n1,iris,data,stat,flowers small,150 flowers\n',
    )
    const changed = await register(folder, 'dataset', 'name: flowers\npath: data/x.csv\n', 'iris')
    expect([changed.code, changed.stderr]).toEqual([0, ''])
    const flowers = { name: 'flowers', description: '', path: 'data/x.csv', tags: [] }
    expect(await folder.json('dataset', 'list', '--json')).toMatchObject({ datasets: [flowers] })
    expect((await folder.qanat('dataset', 'delete', 'flowers', '--yes')).code).toBe(0)
    expect([await namesOf(folder, 'dataset'), folder.has('data/x.csv')]).toEqual([[], true])
  })

  test('whose path does not exist is registered with a warning', async () => {
    const folder = await project()
    const { code, stderr } = await register(folder, 'dataset', 'name: far\npath: /nonexistent/data\n')
    expect([code, stderr]).toEqual([0, 'Warning: the path of dataset far does not exist here: /nonexistent/data\n'])
    expect(await namesOf(folder, 'dataset')).toEqual(['far'])
  })

  test('that an experiment reads is not deleted', async () => {
    const folder = await project()
    await register(folder, 'dataset', 'name: iris\npath: data\n')
    await register(folder, 'experiment', 'name: it\nexecutable: it.sh\ndatasets: [iris]\n', 'it')
    for (const words of [[], ['-y']]) {
      const outcome = await folder.qanat('dataset', 'delete', 'iris', ...words)
      expectError(outcome, 2, 'dataset iris is read by it', 'qanat experiment update it')
    }
    expect(await namesOf(folder, 'dataset')).toEqual(['iris'])
  })
})

describe('an experiment', () => {
  test('is registered, listed, changed and deleted', async () => {
    const folder = await project()
    await register(folder, 'dataset', 'name: iris\npath: data\n')
    const { code, stderr } = await register(
      folder,
      'experiment',
      `name: summary
description: Summary
path: sub
executable: ${folder.path}/it.sh
executable_command: sh -u
tags: first
datasets: [iris]
actions:
  - plot: {name: plot, description: Plot, executable: plot.sh, executable_command: sh}
  - {name: export, executable: export.sh}
`,
    )
    expect([code, stderr]).toEqual([0, ''])
    const summary = {
      name: 'summary',
      description: 'Summary',
      path: 'sub',
      executable: 'it.sh',
      executable_command: 'sh -u',
      datasets: ['iris'],
      tags: ['first'],
      actions: [
        { name: 'plot', description: 'Plot', executable: 'plot.sh', executable_command: 'sh' },
        { name: 'export', description: '', executable: 'export.sh', executable_command: '' },
      ],
      metrics: [],
      best: {},
      outputs: [],
      passes: [],
      uses: [],
      ignores: [...usualIgnores],
      manifest: 'size',
    }
    expect((await folder.json('experiment', 'status', 'summary', '--json')).experiment).toEqual(summary)
    expect((await folder.json('experiment', 'list', '--json')).experiments[1]).toEqual({ id: 2, ...summary, runs: 0 })
    const card = (await folder.qanat('experiment', 'status', 'summary')).stdout
    expect(card).toContain('Datasets: iris\nExecutable: sh -u it.sh\nTags: first\nActions: plot: Plot; export\n')
    await register(folder, 'experiment', 'name: brief\nexecutable: it.sh\n', 'summary')
    expect((await folder.qanat('experiment', 'list')).stdout).toBe(
      'ID  Name   Path  Runs  Tags  Description\n2   brief        0\n1   it           0\n',
    )
    expect((await folder.qanat('experiment', 'delete', 'brief', '--yes')).code).toBe(0)
    expect([await namesOf(folder, 'experiment'), folder.has('it.sh')]).toEqual([['it'], true])
  })

  test('with runs is not deleted, and keeps them when it is renamed', async () => {
    const folder = await projectWith('true')
    await folder.qanat('run', 'it')
    for (const words of [[], ['-y']]) {
      const refusal = await folder.qanat('experiment', 'delete', 'it', ...words)
      expectError(refusal, 2, 'it has a run', 'qanat run_delete it 1')
    }
    folder.write('.qanat/new.yaml', 'name: renamed\nexecutable: it.sh\nexecutable_command: sh\n')
    await folder.qanat('experiment', 'update', 'it', '-f', '.qanat/new.yaml')
    const { runs } = await folder.json('experiment', 'status', 'renamed', '--json')
    expect(runs.map((run: { id: number; storage_path: string }) => [run.id, run.storage_path])).toEqual([
      [1, 'results/it/run_1'],
    ])
  })

  test('is refused with an impossible executable, dataset, command or action', () =>
    expectRefusals('experiment', [
      ['name: x\nexecutable: nope.sh\n', 'nope.sh', 'from the root'],
      ['name: x\nexecutable: data\n', 'data'],
      ['name: x\nexecutable: it.sh\ndatasets: [flower]\n', "no dataset 'flower'. Did you mean flowers?"],
      ['name: x\nexecutable: it.sh\nexecutable_command: sh -c "a\n', ':3:21: ', 'quotes are closed'],
      ['name: x\nexecutable: it.sh\nactions:\n  - plot: {name: plot}\n', ':4:', 'executable: missing'],
      [
        'name: x\nexecutable: it.sh\nactions: [{name: a, executable: b}, {name: a, executable: c}]\n',
        ':3:',
        'second action',
      ],
    ]))
})

describe.each(kinds)('the file of a %s', kind => {
  test('must contain a valid name', () => {
    const rule = 'a name is a letter (A-Z or a-z) or a digit, then such letters, digits'
    const names = ['a/b', '..', '../../x', 'a b', '-x', 'ünï', 'x'.repeat(300)]
    return expectRefusals(kind, [
      ...names.map((name): [string, string, string] => [`name: "${name}"\n${complete[kind]}`, ':1:7: name: ', rule]),
      [`name: ''\n${complete[kind]}`, ':1:7: name: expected text that is not empty'],
    ])
  })

  test('is refused with the position of a mistake', () =>
    expectRefusals(kind, [
      ['name: a\n\tpath: b\n', ':2:1: Tabs'],
      ['name: a: b\n', ':1:7: '],
      ['', ':1:1: ', 'a mapping'],
      ['- name: a\n', ':1:1: expected a mapping of keys to values, not a list'],
      [complete[kind], ':1:1: name: missing'],
      ['name: [a]\n', ':1:7: name: expected text, not a list'],
      ['name: a\ndescripton: b\n', ':2:1: descripton: unknown key. Did you mean description?'],
      [`name: a\n${complete[kind]}tags: {a: b}\n`, ':3:7: tags: expected a list of texts, not a mapping'],
      ['name: a\nname: b\n', ':2:1: ', 'given twice'],
      ['name: a\n---\nname: b\n', ':2:1: a second YAML document'],
    ]))

  test('must exist and be text', async () => {
    const folder = await project()
    await folder.shell("printf '\\377\\376' >binary.yaml")
    expectError(await folder.qanat(kind, 'new', '-f', 'nope.yaml'), 2, "no file 'nope.yaml'")
    expectError(await folder.qanat(kind, 'new', '-f', 'data'), 2, "'data' is a folder")
    expectError(await folder.qanat(kind, 'new', 'binary.yaml'), 2, 'binary.yaml is not UTF-8 text')
  })
})

describe.each(kinds)('the name of a %s', kind => {
  test('is unique', async () => {
    const folder = await project()
    await register(folder, kind, `name: one\n${complete[kind]}`)
    await register(folder, kind, `name: two\n${complete[kind]}`)
    const message = `${kind} 'one' already exists`
    expectError(await register(folder, kind, `name: one\n${complete[kind]}`), 2, message, `qanat ${kind} update one`)
    expectError(await register(folder, kind, `name: one\n${complete[kind]}`, 'two'), 2, message)
    expect((await register(folder, kind, `name: two\n${complete[kind]}`, 'two')).code).toBe(0)
  })

  test('that does not exist is an error with the nearest one', async () => {
    const folder = await project()
    expectError(await folder.qanat(kind, 'delete', 'summary', '-y'), 2, `no ${kind} 'summary'`)
    await register(folder, kind, `name: summary_iris\n${complete[kind]}`)
    const message = `no ${kind} 'summary_iri'. Did you mean summary_iris?`
    const list = `qanat ${kind} list`
    expectError(await folder.qanat(kind, 'delete', 'summary_iri', '-y'), 2, message, list)
    expectError(await register(folder, kind, `name: new\n${complete[kind]}`, 'summary_iri'), 2, message, list)
  })
})

test.each(kinds)('without a terminal, commands that ask about a %s say which option to give', async kind => {
  const folder = await project()
  await register(folder, kind, `name: one\n${complete[kind]}`)
  const file = `-f ${kind}.yaml`
  expectError(await folder.qanat(kind, 'new'), 2, 'no terminal', file)
  expectError(await folder.qanat(kind, 'update', 'one'), 2, 'no terminal', file)
  expectError(await folder.qanat(kind, 'delete', 'one'), 2, 'no terminal', '--yes')
  expect(await namesOf(folder, kind)).toContain('one')
})
