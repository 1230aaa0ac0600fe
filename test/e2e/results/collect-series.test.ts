import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { type Folder, projectWith } from '../project.js'

const script = `
import os, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
folder, seed = words['--storage_path'], int(words['--seed'])
open(f'{folder}/metrics.json', 'w').write('{"final": 1}')
with open(f'{folder}/history.csv', 'w') as history:
    history.write('epoch,loss,test\\n0,2.5,\\n1,nan,\\n2,1.5,0.75\\n' + ('3,1' if seed == 1 else ''))
print('rate=0.1')
print('rate=0.01')
if seed == 2:
    os.remove(f'{folder}/history.csv')
    sys.exit('no data')
`
const described = `name: it
executable: it.sh
executable_command: python3
metrics: [metrics.json, {file: history.csv, step: epoch}, {stdout: 'rate=(?<rate>\\S+)'}]
`

async function project(): Promise<Folder> {
  const folder = await projectWith(script, 'python3')
  folder.write('it.yaml', described)
  folder.commit()
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  await folder.qanat('run', 'it', '-R', '--seed 0 3 1')
  return folder
}

/** The rows of a collected file, each as the cells that it has. */
function rows(folder: Folder): Record<string, string>[] {
  const all: Record<string, string>[] = parse(folder.read('t.csv'), { columns: true })
  return all.map(row => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')))
}

test('collect --series writes a row for each step of each group, with all metrics of the step', async () => {
  const folder = await project()
  const { stdout, stderr } = await folder.qanat('collect', 'it', '--series', '-o', 't.csv')
  expect(stderr).toBe('Warning: history.csv: 1 row is not whole (group 1.1)\n')
  expect(stdout).toBe('t.csv: 3 groups, 12 rows, 9 columns\n')
  const finished = (group: string) => ({ run: '1', group, status: 'finished', '--seed': group })
  expect(rows(folder).slice(0, 5)).toEqual([
    { ...finished('0'), step: '0', counter: 'epoch', loss: '2.5' },
    { ...finished('0'), step: '1', counter: 'epoch', loss: 'NaN' },
    { ...finished('0'), step: '2', counter: 'epoch', loss: '1.5', test: '0.75' },
    { ...finished('0'), step: '0', rate: '0.1' },
    { ...finished('0'), step: '1', rate: '0.01' },
  ])
  expect(rows(folder).slice(-2)).toMatchObject([
    { group: '2', status: 'failed', rate: '0.1' },
    { group: '2', status: 'failed', rate: '0.01' },
  ])
  for (const file of ['t.jsonl', 't.parquet', 't.sqlite']) {
    expect(await folder.qanat('collect', 'it', '--series', '-o', file)).toMatchObject({ code: 0 })
  }
  expect(JSON.parse(folder.read('t.jsonl').split('\n')[1]!)).toEqual({
    ...{ run: 1, group: 0, status: 'finished', '--seed': 0, step: 1, counter: 'epoch' },
    ...{ loss: 'NaN', test: null, rate: null },
  })
})

test('collect --series says which series are gone, and which groups have none', async () => {
  const folder = await project()
  expect((await folder.qanat('compare', 'it')).code).toBe(0)
  for (const group of [0, 1]) rmSync(join(folder.path, `results/it/run_1/group_${group}/history.csv`))
  const { stdout, stderr } = await folder.qanat('collect', 'it', '--series', '-o', 't.csv')
  expect(stderr).toBe("Warning: the series of 'loss' is not in the files any more (group 1.0 and 1 other)\n")
  expect(stdout).toBe('t.csv: 3 groups, 6 rows, 7 columns\n')

  folder.write('it.yaml', described.replace(/, \{file.*/, ']'))
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  const before = folder.read('t.csv')
  const none = await folder.qanat('collect', 'it', '--series', '-o', 't.csv')
  expectError(none, 2, 'no group of it that has ended has a series')
  expect(folder.read('t.csv')).toBe(before)

  folder.write('it.yaml', described.replace(', {stdout', ', {file: other.csv, step: null}, {stdout'))
  await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
  rmSync(join(folder.path, 'results/it/run_1/group_1/stdout.txt'))
  expect((await folder.qanat('collect', 'it', '--series', '-o', 't.csv')).stdout).toContain(
    't.csv: 2 groups, 4 rows, 7 columns\n  1 group left out: no series, or not ended yet\n',
  )
})
