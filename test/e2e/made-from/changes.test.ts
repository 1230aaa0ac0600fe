import { utimesSync } from 'node:fs'
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
  'figures/draw.sh': 'while [ "$1" != --storage_path ]; do shift; done\ncp "$2/result.txt" "$2/figure.txt"\n',
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

/** Further files, of which only the name matters. */
const others =
  `src/lib/more.sh other/other.sh tools/tool.sh settings.toml prompts/ask.md labels/labels.csv paper/compile.sh
paper/paper.tex requirements.txt README.md LICENSE CITATION.cff notes.rst docs/guide.md docs/how.txt`.split(/\s+/)

/** A project whose document was compiled from a run. */
const made = madeOnce(async () => {
  const project = new Folder()
  for (const [path, text] of Object.entries(files)) project.write(path, text)
  for (const path of others) project.write(path, `# ${path}\n`)
  for (const number of [1, 2, 3]) project.write(`data/${number}.csv`, `${number}\n`)
  keepTimes(project)
  await project.shell('ln -s helper.sh src/lib/link.sh')
  project.git('init', '--quiet')
  project.commit()
  const commands = [
    'init --yes',
    ...['points', 'labels'].map(name => `dataset new -f ${name}.yaml`),
    ...['train', 'other'].map(name => `experiment new -f ${name}.yaml`),
    'document new -f paper.yaml',
  ]
  for (const line of commands) expect(await project.qanat(...line.split(' '))).toMatchObject({ code: 0 })
  project.commit()
  expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
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

/** What a document says of its only dependency. */
async function said(project: Folder): Promise<string> {
  const { dependencies } = await project.json('document', 'status', 'paper', '--json')
  return dependencies.map(({ status, why }: { status: string; why: string }) => `${status} ${why}`.trim()).join()
}

/** Makes a change, which is committed as far as git tracks it. */
async function change(project: Folder, code: string): Promise<void> {
  expect([code, (await project.shell(code)).code]).toEqual([code, 0])
  if (project.git('status', '--porcelain') !== '') project.commit()
}

const append = (path: string) => `echo '# more' >>${path}`

test('nothing is called stale after changes that cannot have changed what a run does', async () => {
  const project = await compiled()
  const changes = [
    // Texts, also in docs/ and of the paper, and a new name of one
    ...['README.md', 'LICENSE', 'CITATION.cff', '.gitignore', 'notes.rst', 'docs/how.txt'].map(append),
    ...['mv docs/guide.md docs/manual.md', append('paper/paper.tex'), 'chmod +x README.md'],
    // What the experiment does not use, what git ignores, and the file of versions, which the environment tells
    ...['other/other.sh', 'tools/tool.sh', 'scratch.txt', 'src/it.log', 'requirements.txt'].map(append),
    // Times
    ...['src/train.sh', 'data/1.csv'].map(path => `touch -d 2001-01-01 ${path}`),
    // Commits and branches
    ...["git commit --quiet --allow-empty -m 'Nothing'", "git commit --quiet --amend --allow-empty -m 'Other'"],
    'git checkout --quiet -b other',
    // Templates, which runs record, and their variables
    append('.qanat/config.yaml'),
    "sed -i '0,/^\\( *\\)default:.*/s//\\1default: { env: { RATE: 2 } }/' .qanat/config.yaml",
    'grep RATE .qanat/config.yaml',
    // What users do with runs
    ...['run_tag 1 +good', 'run_comment 1 -m good', 'run other', 'action draw 1'].map(words => `qanat ${words}`),
    // A change back and forth
    `${append('src/train.sh')}; git commit --quiet --all -m A; sed -i '$d' src/train.sh`,
  ]
  for (const code of changes) {
    await change(project, code)
    expect([code, await said(project)]).toEqual([code, 'up to date'])
  }
})

test('a run is called stale, and the file is named, after a change of what its experiment uses', async () => {
  const project = await compiled()
  const used = ['src/train.sh', 'src/lib/helper.sh', 'src/new.sh', 'settings.toml', 'prompts/ask.md']
  const changes = [
    ...used.map(path => [append(path), path] as const),
    ['rm src/lib/more.sh', 'src/lib/more.sh'],
    ['mv src/lib/more.sh src/lib/less.sh', 'src/lib/less.sh and src/lib/more.sh'],
    ['chmod +x src/lib/more.sh', 'src/lib/more.sh'],
    ['ln -sf more.sh src/lib/link.sh', 'src/lib/link.sh'],
  ] as const
  for (const [code, what] of changes) {
    await change(project, code)
    const why = `stale ${what} ${what.includes(' and ') ? 'have' : 'has'} changed since run 1`
    expect([code, await said(project)]).toEqual([code, why])
    project.git('reset', '--quiet', '--hard', 'HEAD~')
    expect([code, await said(project)]).toEqual([code, 'up to date'])
  }
  await change(project, "sed -i 's/0, 1, 1/0, 2, 1/' grid.yaml")
  expect(await said(project)).toBe('missing no run with these arguments')
})

test('only the figure is called stale after a change of its script or itself, and is drawn again without a run', async () => {
  const project = await compiled()
  for (const [path, why] of [
    ['figures/draw.sh', 'figures/draw.sh has changed since it made figure.txt'],
    ['paper/exports/train/grid/figure.txt', 'figure.txt has changed since it was exported'],
  ]) {
    await change(project, append(path!))
    expect(await said(project)).toBe(`stale ${why}`)
    expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
    expect(await said(project)).toBe('up to date')
    expect((await project.json('runs', '--json')).runs.map(({ id }: { id: number }) => id)).toEqual([1])
  }
})

test('a link to a script counts as the script to which it leads', async () => {
  const project = await compiled()
  project.write('link.yaml', 'name: link\nexecutable: src/lib/link.sh\nexecutable_command: sh\nuses: [/other.yaml]\n')
  project.commit()
  await project.qanat('experiment', 'new', '-f', 'link.yaml')
  await project.qanat('run', 'link')
  await change(project, append('src/lib/helper.sh'))
  await project.qanat('run', 'link')
  expect(JSON.stringify((await project.json('diff', '2', '3', '--json')).code)).toContain('src/lib/helper.sh')
})

test('a run warns of a pattern of what it uses that fits no file', async () => {
  const project = await compiled()
  project.write('.git/uses.yaml', "uses: [/settings.toml, '/promts/*.md', 'data/*.csv']\n")
  await project.qanat('experiment', 'update', 'train', '-f', '.git/uses.yaml')
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
  await change(project, ['points', 'labels', 'other', 'train', 'paper'].map(name => append(`${name}.yaml`)).join('; '))
  expect(await codeUsed()).toBe(before)
  await change(project, append('tools/tool.sh'))
  expect(await codeUsed()).not.toBe(before)
})

test('a changed package makes nothing stale', async () => {
  const project = await compiled()
  const packages = '.venv/lib/python3.11/site-packages'
  await project.shell(`mkdir -p ${packages}/six-1.0.dist-info`)
  project.environment.VIRTUAL_ENV = join(project.path, '.venv')
  await project.qanat('run', 'train', '--seed', '0')
  await until(async () => (await project.qanat('env', 'show', '2')).code === 0)
  await project.shell(`mv ${packages}/six-1.0.dist-info ${packages}/six-2.0.dist-info`)
  expect(await said(project)).toBe('up to date')
})

describe('a module that the script of an action imports', () => {
  const doubt = 'figure.txt was made with uncommitted changes of 1 other file (figures/style.sh)'

  /** A project whose document was compiled with the module. @param uses further keys of the action */
  async function drawn(uses: string): Promise<Folder> {
    const project = await compiled()
    project.write('figures/draw.sh', `. figures/style.sh\n${files['figures/draw.sh']}`)
    project.write('figures/style.sh', 'colour=red\n')
    project.write('train.yaml', files['train.yaml']!.replace('sh}]', `sh${uses}}]`))
    project.commit()
    await project.qanat('experiment', 'update', 'train', '-f', 'train.yaml')
    expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
    return project
  }

  test('makes only the figure stale if `uses` of the action names it', async () => {
    const project = await drawn(', uses: [/figures/**]')
    expect((await project.qanat('experiment', 'export', 'train')).stdout).toContain('- /figures/**\n')
    await project.shell(append('tools/tool.sh'))
    expect(await said(project)).toBe('up to date')
    await project.shell(append('figures/style.sh'))
    const why = 'stale figures/style.sh has changed since draw was called for figure.txt'
    expect(await said(project)).toBe(why)
    project.commit()
    expect(await said(project)).toBe(why)
    expect(await project.qanat('document', 'compile', 'paper')).toMatchObject({ code: 0 })
    expect(await said(project)).toBe('up to date')
    expect((await project.json('runs', '--json')).runs).toHaveLength(1)
    project.write('.git/uses.yaml', project.read('train.yaml').replace('/figures/**', '/figurs/**'))
    await project.qanat('experiment', 'update', 'train', '-f', '.git/uses.yaml')
    expect((await project.qanat('action', 'draw', '1')).stderr).toContain(
      "Warning: uses of draw: '/figurs/**' fits no file that git tracks, so no change is seen by it\n",
    )
  })

  test.each([
    ['only named', '', 'up to date'],
    ['named, and makes it stale once it has changed and `uses` names it', ', uses: [/figures/**]', 'stale'],
  ])('that was not committed when a figure was made is %s', async (_, uses, status) => {
    const project = await drawn(uses)
    await project.shell(append('figures/style.sh'))
    await project.qanat('document', 'compile', 'paper')
    if (uses === '') {
      expect(await said(project)).toBe(`up to date ${doubt}`)
      project.commit()
      expect(await said(project)).toBe('up to date')
    }
    expect(project.read('paper/exports/train/grid/figure.txt.qanat.txt')).toContain('      - figures/style.sh\n')
    await project.shell(append('figures/style.sh'))
    expect(await said(project)).toBe(`${status} ${doubt}`)
  })
})
