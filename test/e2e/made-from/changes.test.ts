import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { Folder, until } from '../project.js'

const files: Readonly<Record<string, string>> = {
  'src/train.sh': `. "$(dirname "$0")/lib/helper.sh"
while [ $# -gt 1 ]; do [ "$1" != --storage_path ] || folder=$2; shift; done
helped >"$folder/result.txt"
`,
  'src/lib/helper.sh': 'helped() { cat settings.toml prompts/ask.md labels/labels.csv; }\n',
  'src/lib/more.sh': '# nothing\n',
  'figures/draw.sh': 'while [ "$1" != --storage_path ]; do shift; done\ncp "$2/result.txt" "$2/figure.txt"\n',
  'other/other.sh': 'echo other\n',
  'tools/tool.sh': 'echo tool\n',
  'settings.toml': 'rate = 1\n',
  'prompts/ask.md': 'Why?\n',
  'labels/labels.csv': 'a\nb\n',
  'paper/compile.sh': 'echo compiled\n',
  'paper/paper.tex': 'A paper\n',
  'requirements.txt': 'numpy==1.26.4\n',
  'README.md': '# A proyect\n',
  LICENSE: 'Yours\n',
  'CITATION.cff': 'title: It\n',
  'notes.rst': 'Notes\n',
  'docs/guide.md': 'A guide\n',
  'docs/how.txt': 'How\n',
  '.gitignore': 'data/\n*.log\nexports/\n',
  'points.yaml': 'name: points\npath: data\n',
  'labels.yaml': 'name: labels\npath: labels\n',
  'other.yaml': 'name: other\nexecutable: other/other.sh\nexecutable_command: sh\n',
  'grid.yaml': "varying_args: {range: {options: {'--seed': [0, 1, 1]}}}\n",
  'train.yaml': `name: train
path: src
executable: src/train.sh
executable_command: sh
datasets: [points, labels]
uses: [/settings.toml, 'prompts/*.md']
actions: [{name: draw, executable: figures/draw.sh, executable_command: sh}]
`,
  'paper.yaml': `name: paper
path: paper
compile_script: compile.sh
compile_script_command: sh
experiment_dependencies:
  - {experiment_name: train, run_args_file: grid.yaml, action_name: draw, files: [figure.txt]}
`,
}

/** A project whose document was compiled from a run. */
const made = madeOnce(async () => {
  const project = new Folder()
  for (const [path, text] of Object.entries(files)) project.write(path, text)
  for (const number of [1, 2, 3]) project.write(`data/${number}.csv`, `${number}\n`)
  keepTimes(project)
  symlinkSync('helper.sh', join(project.path, 'src/lib/link.sh'))
  project.git('init', '--quiet')
  project.commit()
  const commands = [
    ['init', '--yes'],
    ...['points', 'labels'].map(name => ['dataset', 'new', '-f', `${name}.yaml`]),
    ...['train', 'other'].map(name => ['experiment', 'new', '-f', `${name}.yaml`]),
    ['document', 'new', '-f', 'paper.yaml'],
    ['document', 'compile', 'paper'],
  ]
  for (const words of commands) expect(await project.qanat(...words)).toMatchObject({ code: 0 })
  return project
})

async function compiled(): Promise<Folder> {
  const project = await made()
  keepTimes(project)
  return project
}

/** A copy of data has other times otherwise. */
function keepTimes({ path }: Folder): void {
  for (const number of [1, 2, 3]) utimesSync(join(path, `data/${number}.csv`), 1e9, 1e9)
}

type Change = (project: Folder) => unknown

const append = (path: string) => (project: Folder) => appendFileSync(join(project.path, path), '# more\n')
const at = (project: Folder, path: string) => join(project.path, path)

/** What a document says of its only dependency. */
async function said(project: Folder): Promise<string> {
  const { dependencies } = await project.json('document', 'status', 'paper', '--json')
  return dependencies.map(({ status, why }: { status: string; why: string }) => `${status} ${why}`.trim()).join()
}

/** Most changes are committed; these functions do what else there is. */
const committed = async (change: Change) => {
  const project = await compiled()
  await change(project)
  if (project.git('status', '--porcelain') !== '') project.commit()
  return project
}

describe('nothing is called stale', () => {
  test.each<[string, Change]>([
    ['after a typo in README.md', append('README.md')],
    ['after a change of LICENSE', append('LICENSE')],
    ['after a change of CITATION.cff', append('CITATION.cff')],
    ['after a change of .gitignore', append('.gitignore')],
    ['after a change of other texts', append('notes.rst')],
    ['after a file in docs/ has changed', append('docs/how.txt')],
    ['after a text was renamed', ({ path }) => renameSync(join(path, 'docs/guide.md'), join(path, 'docs/manual.md'))],
    ['after the paper was written', append('paper/paper.tex')],
    ['after the script of another experiment has changed', append('other/other.sh')],
    ['after something has changed that the experiment does not use', append('tools/tool.sh')],
    ['after a new file beside what the experiment uses', ({ path }) => appendFileSync(join(path, 'scratch.txt'), 'x')],
    ['after a file that git ignores', ({ path }) => appendFileSync(join(path, 'src/it.log'), 'x')],
    ['after the file of versions has changed, which the environment tells', append('requirements.txt')],
    ['after the mode of a text has changed', project => chmodSync(at(project, 'README.md'), 0o755)],
    ['after a script was touched', project => utimesSync(at(project, 'src/train.sh'), 1, 1)],
    ['after data were touched', project => utimesSync(at(project, 'data/1.csv'), 1, 1)],
    ['after a commit without changes', project => project.git('commit', '--quiet', '--allow-empty', '-m', 'Nothing')],
    ['after another message of the commit', project => project.git('commit', '--quiet', '--amend', '-m', 'Other')],
    ['on another branch', project => project.git('checkout', '--quiet', '-b', 'other')],
    ['after a template has changed, which runs record', append('.qanat/config.yaml')],
    [
      'after a variable of a template has changed',
      ({ path }) => {
        const config = join(path, '.qanat/config.yaml')
        writeFileSync(
          config,
          readFileSync(config, 'utf8').replace(/^( *)default:.*$/m, '$1default: { env: { RATE: 2 } }'),
        )
        expect(readFileSync(config, 'utf8')).toContain('RATE')
      },
    ],
    [
      'after a tag and a comment',
      async project => {
        await project.qanat('run_tag', '1', '+good')
        await project.qanat('run_comment', '1', '-m', 'good')
      },
    ],
    ['after another run', project => project.qanat('run', 'other')],
    ['after another action', project => project.qanat('action', 'draw', '1')],
    [
      'after a change back and forth',
      project => {
        append('src/train.sh')(project)
        project.commit()
        project.write('src/train.sh', files['src/train.sh']!)
      },
    ],
  ])('%s', async (_, change) => {
    expect(await said(await committed(change))).toBe('up to date')
  })
})

describe('a run is called stale, and the file is named,', () => {
  test.each<[string, Change, string]>([
    ['after its executable has changed', append('src/train.sh'), 'src/train.sh has changed'],
    ['after a helper module has changed', append('src/lib/helper.sh'), 'src/lib/helper.sh has changed'],
    ['after a new module', ({ path }) => appendFileSync(join(path, 'src/new.sh'), ''), 'src/new.sh has changed'],
    ['after a module is gone', ({ path }) => rmSync(join(path, 'src/lib/more.sh')), 'src/lib/more.sh has changed'],
    [
      'after a module was renamed',
      ({ path }) => renameSync(join(path, 'src/lib/more.sh'), join(path, 'src/lib/less.sh')),
      'src/lib/less.sh and src/lib/more.sh have changed',
    ],
    [
      'after the mode of a module has changed',
      project => chmodSync(at(project, 'src/lib/more.sh'), 0o755),
      'src/lib/more.sh',
    ],
    [
      'after a link points elsewhere',
      project => {
        rmSync(at(project, 'src/lib/link.sh'))
        symlinkSync('more.sh', at(project, 'src/lib/link.sh'))
      },
      'src/lib/link.sh has changed',
    ],
    ['after settings have changed that it uses', append('settings.toml'), 'settings.toml has changed'],
    ['after a text has changed that it uses', append('prompts/ask.md'), 'prompts/ask.md has changed'],
  ])('%s', async (_, change, why) => {
    const status = await said(await committed(change))
    expect(status).toContain(`${why}${why.includes('changed') ? '' : ' has changed'} since run 1`)
    expect(status).toMatch(/^stale/)
  })

  test('and of other parameters there is none', async () => {
    const grid = files['grid.yaml']!.replace('[0, 1, 1]', '[0, 2, 1]')
    expect(await said(await committed(project => project.write('grid.yaml', grid)))).toBe(
      'missing no run with these arguments',
    )
  })
})

test('a link to a script counts as the script to which it leads', async () => {
  const project = await compiled()
  project.write('link.yaml', 'name: link\nexecutable: src/lib/link.sh\nexecutable_command: sh\nuses: [/other.yaml]\n')
  project.commit()
  await project.qanat('experiment', 'new', '-f', 'link.yaml')
  const { id } = await project.json('run', '--json', 'link')
  append('src/lib/helper.sh')(project)
  project.commit()
  const again = await project.json('run', '--json', 'link')
  const { code } = await project.json('diff', `${id}`, `${again.id}`, '--json')
  expect(JSON.stringify(code)).toContain('src/lib/helper.sh')
})

test('a run warns of a pattern of what it uses that fits no file', async () => {
  const project = await compiled()
  project.write('uses.yaml', "uses: [/settings.toml, '/promts/*.md', 'data/*.csv']\n")
  await project.qanat('experiment', 'update', 'train', '-f', 'uses.yaml')
  rmSync(at(project, 'uses.yaml'))
  const { stderr } = await project.qanat('run', 'train', '--seed', '9')
  expect(stderr).toContain("uses of train: '/promts/*.md' fits no file that git tracks")
  expect(stderr).toContain("uses of train: 'data/*.csv' fits no file that git tracks")
  expect(stderr).not.toContain('settings')
})

test('the files that describe what is registered are no code of an experiment that may use the whole repository', async () => {
  const project = await compiled()
  const codeUsed = async () => (await project.json('run', '--json', 'other')).code_used
  const before = await codeUsed()
  expect(before).toBeTypeOf('string')
  for (const name of ['points', 'labels', 'other', 'train', 'paper']) append(`${name}.yaml`)(project)
  project.commit()
  expect(await codeUsed()).toBe(before)
  append('tools/tool.sh')(project)
  project.commit()
  expect(await codeUsed()).not.toBe(before)
})

test('a changed package makes nothing stale, and is told by env diff', async () => {
  const project = await compiled()
  const packages = at(project, '.venv/lib/python3.11/site-packages')
  mkdirSync(join(packages, 'six-1.0.dist-info'), { recursive: true })
  project.environment.VIRTUAL_ENV = at(project, '.venv')
  const isRecorded = (run: string) => until(async () => (await project.qanat('env', 'show', run)).code === 0)
  await project.qanat('run', 'train', '--seed', '7')
  await isRecorded('2')
  renameSync(join(packages, 'six-1.0.dist-info'), join(packages, 'six-2.0.dist-info'))
  expect(await said(project)).toBe('up to date')
  await project.qanat('rerun', '2', '--wait')
  await isRecorded('3')
  expect((await project.qanat('env', 'diff', '2', '3')).stdout).toMatch(/six +1\.0 → 2\.0/)
})

describe('only the figure is called stale', () => {
  test.each<[string, Change, string]>([
    ['after its script has changed', append('figures/draw.sh'), 'figures/draw.sh has changed since it made figure.txt'],
    [
      'after it was edited',
      project => appendFileSync(at(project, 'paper/exports/train/grid/figure.txt'), 'x'),
      'figure.txt has changed since it was exported',
    ],
  ])('%s, and is drawn again without a run', async (_, change, why) => {
    const project = await committed(change)
    expect(await said(project)).toBe(`stale ${why}`)
    expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
    expect(await said(project)).toBe('up to date')
    expect((await project.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)).toEqual([1])
  })
})

describe('a module that the script of an action imports', () => {
  const drawsWithModule = async (uses: string) => {
    const project = await compiled()
    project.write('figures/draw.sh', `. figures/style.sh\n${files['figures/draw.sh']}`)
    project.write('figures/style.sh', 'colour=red\n')
    project.write(
      'train.yaml',
      files['train.yaml']!.replace('executable_command: sh}]', `executable_command: sh${uses}}]`),
    )
    project.commit()
    expect(await project.qanat('experiment', 'update', 'train', '-f', 'train.yaml')).toMatchObject({ code: 0 })
    expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
    return project
  }

  test('makes only the figure stale if `uses` of the action names it', async () => {
    const project = await drawsWithModule(', uses: [/figures/**]')
    expect((await project.qanat('experiment', 'export', 'train')).stdout).toContain('- /figures/**\n')
    append('tools/tool.sh')(project)
    expect(await said(project)).toBe('up to date')
    project.write('.git/uses.yaml', project.read('train.yaml').replace('/figures/**', '/figurs/**'))
    await project.qanat('experiment', 'update', 'train', '-f', '.git/uses.yaml')
    expect((await project.qanat('action', 'draw', '1')).stderr).toContain(
      "Warning: uses of draw: '/figurs/**' fits no file that git tracks, so no change is seen by it\n",
    )
    await project.qanat('experiment', 'update', 'train', '-f', 'train.yaml')
    append('figures/style.sh')(project)
    const why = 'stale figures/style.sh has changed since draw was called for figure.txt'
    expect(await said(project)).toBe(why)
    project.commit()
    expect(await said(project)).toBe(why)
    expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
    expect(await said(project)).toBe('up to date')
    expect((await project.json('runs', '--json')).runs).toHaveLength(1)
  })

  test('that was not committed is named, and makes a figure stale once it has changed and `uses` names it', async () => {
    const project = await drawsWithModule('')
    append('figures/style.sh')(project)
    expect(await said(project)).toBe('up to date')
    await project.qanat('document', 'compile', 'paper')
    const doubt = 'figure.txt was made with uncommitted changes of 1 other file (figures/style.sh)'
    expect(await said(project)).toBe(`up to date ${doubt}`)
    expect(project.read('paper/exports/train/grid/figure.txt.qanat.txt')).toContain('      - figures/style.sh\n')
    project.commit()
    expect(await said(project)).toBe('up to date')
    append('figures/style.sh')(project)
    project.commit()
    expect(await said(project)).toBe(`up to date ${doubt}`)
    const other = await drawsWithModule(', uses: [/figures/**]')
    append('figures/style.sh')(other)
    await other.qanat('document', 'compile', 'paper')
    append('figures/style.sh')(other)
    expect(await said(other)).toBe(`stale ${doubt}`)
  })
})

describe('a dataset is said', () => {
  test.each<[string, Change, number, string]>([
    ['to be as it was', () => {}, 0, 'Dataset points is as run 1 read it'],
    [
      'to have maybe changed after it was touched',
      project => utimesSync(at(project, 'data/1.csv'), 1, 1),
      0,
      'maybe changed',
    ],
    ['to have changed after a byte more', append('data/1.csv'), 1, '1 file changed'],
    ['to have changed without a file', project => rmSync(at(project, 'data/1.csv')), 1, '1 file gone'],
    ['to have changed with a file more', append('data/4.csv'), 1, '1 file added'],
    ['to have changed if it is gone', project => rmSync(at(project, 'data'), { recursive: true }), 1, 'points'],
    ['to be as it was after its neighbour has changed', append('labels/labels.csv'), 0, 'is as run 1 read it'],
    ['to be as it was after a change of code', append('src/train.sh'), 0, 'is as run 1 read it'],
  ])('%s', async (_, change, code, text) => {
    const project = await compiled()
    await change(project)
    const verified = await project.qanat('dataset', 'verify', 'points')
    expect([verified.code, verified.stdout + verified.stderr]).toEqual([code, expect.stringContaining(text)])
  })

  test('to have changed if git tracks it, although its size and its time are as before', async () => {
    const project = await compiled()
    const path = at(project, 'labels/labels.csv')
    const { atime, mtime } = statSync(path)
    project.write('labels/labels.csv', 'a\nc\n')
    utimesSync(path, atime, mtime)
    expect(await project.qanat('dataset', 'verify', 'labels')).toMatchObject({ code: 1 })
  })
})
