import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { breaches, type Entity } from '../../domain/crate/profile.js'
import { madeOnce } from '../made-once.js'
import { Folder, until } from '../project.js'

const script = `while [ "$1" != --storage_path ]; do shift; done
echo '{"acc": 0.9}' > "$2/metrics.json"; echo drawn > "$2/fig.svg"
`

/** Both runs have read a dataset; a document has exported a file of run 1, and a plot and a report were made of run 2. */
const made = madeOnce(async () => {
  const folder = new Folder()
  folder.git('init', '--quiet')
  folder.write('.gitignore', 'data/\n')
  folder.write('data/a.csv', 'a\n')
  folder.write('it.sh', script)
  folder.write('paper/compile.sh', '')
  folder.write('points.yaml', 'name: points\npath: data\n')
  folder.write('it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\ndatasets: [points]\n')
  folder.write(
    'paper.yaml',
    `name: paper\npath: paper\ncompile_script: compile.sh\ncompile_script_command: sh
experiment_dependencies: [{experiment_name: it, files: [fig.svg]}]\n`,
  )
  folder.commit()
  for (const words of [
    ['init', '--yes'],
    ['dataset', 'new', '-f', 'points.yaml'],
    ['experiment', 'new', '-f', 'it.yaml'],
    ['document', 'new', '-f', 'paper.yaml'],
    ['run', 'it'],
    ['run', 'it', '-g', '--a 1', '-g', '--a 2'],
  ])
    expect(await folder.qanat(...words)).toMatchObject({ code: 0 })
  for (const run of ['1', '2']) await until(async () => (await folder.qanat('env', 'show', run)).code === 0)
  for (const words of [
    ['document', 'compile', 'paper'],
    ['plot', 'it', '2', '-x', '--a', '-y', 'acc', '-o', 'acc.svg'],
    ['report', 'it', '2', '-o', 'all.html'],
  ])
    expect(await folder.qanat(...words)).toMatchObject({ code: 0 })
  return folder
})

describe('the code, the data and the environment of a run are named', () => {
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  const sources = {
    ...{ code_used: hash, environments: [hash] },
    data: [{ name: 'points', level: 'stat', digest: hash }],
  }

  test('in the note on an exported file', async () => {
    const folder = await made()
    expect(parse(folder.read('paper/exports/it/fig.svg.qanat.txt'))).toMatchObject(sources)
    expect((await folder.qanat('document', 'status', 'paper')).stdout).toContain('up to date')
  })

  test('in a plot and in a report', async () => {
    const folder = await made()
    for (const file of ['acc.svg', 'all.html']) {
      const [, line = ''] = /qanat-(?:plot|report):(.*)\n/.exec(folder.read(file)) ?? []
      expect(JSON.parse(line).usermeta.qanat.runs).toEqual([expect.objectContaining({ id: 2, ...sources })])
    }
    const page = folder.read('all.html')
    for (const [kind, text] of [
      ['code', ''],
      ['data', 'points: stat '],
      ['environment', ''],
    ])
      expect(page).toMatch(new RegExp(`<dt>${kind}</dt><dd>${text}[0-9a-f]{64} \\(run 2\\)</dd>`))
  })

  test('in the answer of whence', async () => {
    const folder = await made()
    const { matches } = await folder.json('whence', 'paper/exports/it/fig.svg', '1', '--json')
    const { code_used: code, ...others } = sources
    expect(matches).toMatchObject(['export', 'group'].map(kind => ({ kind, run: 1, code, ...others })))
    const { stdout } = await folder.qanat('whence', 'acc.svg')
    expect(stdout).toMatch(/ {4}run 2: commit \w{7}, code \w{12}, data points \w{12}, environment \w{12}\n/)
    // What a plot says is all that is left of a run that is gone.
    expect(await folder.qanat('run_delete', '2', '--yes')).toMatchObject({ code: 0 })
    await folder.qanat('trash', 'empty', '--yes')
    const gone = await folder.json('whence', 'acc.svg', '--json')
    expect(gone.matches).toMatchObject([{ kind: 'plot', run: null, code, ...others }])
  })

  test('in a crate, with the files of the data and all facts of the environment', async () => {
    const folder = await made()
    expect(await folder.qanat('export', '--crate', '1', '-o', 'crate')).toMatchObject({ code: 0, stderr: '' })
    const metadata = folder.read('crate/ro-crate-metadata.json')
    const graph = JSON.parse(metadata)['@graph'] as Entity[]
    const files = graph.filter(each => each['@type'] === 'File').map(each => decodeURIComponent(each['@id']))
    expect(breaches(metadata, files)).toEqual([])
    expect(folder.read('crate/data/points.jsonl')).toContain('["a.csv",2,')
    const [environment] = files.filter(name => name.startsWith('environments/'))
    expect(folder.read(`crate/${environment}`)).toMatch(/^system\t/m)
    expect(graph.find(each => each['@id'] === '#dataset-points')).toMatchObject({
      identifier: expect.stringMatching(/^stat:[0-9a-f]{64}$/),
    })
  })
})
