import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { shellProject } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { goTo, pageOf, visit } from './browser.js'
import { addMeasuredRun } from './filled.js'

const [models, seeds] = [10, 1000]

/** Values whose squares overflow, lose digits beside a large mean, or vanish. */
const metricsAt = (index: number): Record<string, number> => {
  const noise = Math.sin(index * 12.9898) * 43758.5453
  const part = noise - Math.floor(noise)
  const [tiny, huge] = [part * 1e-200, (part - 0.5) * 1e200]
  return { plain: part, near: 1e9 + part, tiny, huge, whole: Math.floor(part * 1e6) }
}
const names = Object.keys(metricsAt(0))

/** What numpy says of the table that `collect` has written. Its longest numbers round the sums once, at the end. */
const reference = `
import csv, json, numpy, sys
rows = list(csv.DictReader(open(sys.argv[1], newline='')))
cells = {}
for row in rows: cells.setdefault(row['--model'], []).append(row)
def summary(texts):
    short = numpy.array([float(text) for text in texts])
    long = short.astype(numpy.longdouble)
    return {'mean': float(long.mean()), 'sd': float(long.std(ddof=1)), 'count': len(short), 'min': float(short.min()), 'max': float(short.max())}
print(json.dumps({
    'values': {name: [float(row[name]) for row in rows] for name in sys.argv[2:]},
    'cells': {model: {name: summary([row[name] for row in cells[model]]) for name in sys.argv[2:]} for model in cells},
}))
`
const lacksNumpy = spawnSync('python3', ['-c', 'import numpy']).status === 0 ? null : 'there is no numpy'

const keys = ['mean', 'sd', 'count', 'min', 'max'] as const
type Summary = Readonly<Record<(typeof keys)[number], number>>

/** The last bit of a mean and some bits of a deviation may be rounded otherwise. */
function expectSame(ours: Summary, { mean, sd, ...exact }: Summary): void {
  expect(ours).toMatchObject(exact)
  expect(Math.abs(ours.mean / mean - 1)).toBeLessThanOrEqual(Number.EPSILON)
  expect(Math.abs(ours.sd / sd - 1)).toBeLessThanOrEqual(8 * Number.EPSILON)
}

const skipped = skips('one number everywhere', lacks('chromium') ?? lacksNumpy)

test.skipIf(skipped)(
  'every number of 10,000 groups is that of numpy in compare, collect, the report and the page',
  async () => {
    const folder = await shellProject()
    addMeasuredRun(
      folder,
      [
        ['--model', models],
        ['--seed', seeds],
      ],
      metricsAt,
    )
    const values = Array.from({ length: models * seeds }, (_, index) => metricsAt(index))

    await folder.qanat('collect', 'it', '-o', 'groups.csv')
    const words = ['-c', reference, join(folder.path, 'groups.csv'), ...names]
    const numpys = JSON.parse(execFileSync('python3', words, { encoding: 'utf8', maxBuffer: 1e8 }))
    for (const name of names) expect(numpys.values[name]).toEqual(values.map(each => each[name]))
    await folder.qanat('collect', 'it', '-o', 'groups.jsonl')
    const lines = folder.read('groups.jsonl').trim().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(values.map(each => expect.objectContaining(each)))

    const { cells } = await folder.json('compare', 'it', '--over', 'seed', '--json')
    expect(cells).toHaveLength(models)
    for (const { parameters, metrics } of cells)
      for (const name of names) expectSame(metrics[name], numpys.cells[parameters['--model']][name])
    const summaries: Summary[][] = cells.map(({ metrics }: any) => names.map(name => metrics[name]))

    const csv = (await folder.qanat('compare', 'it', '--over', 'seed', '--csv')).stdout.trim().split('\n')
    const [head = [], ...rows] = csv.map(line => line.split(','))
    const inCsv = (row: string[], name: string) =>
      Object.fromEntries(keys.map(key => [key, Number(row[head.indexOf(key === 'mean' ? name : `${name}_${key}`)])]))
    expect(rows.map(row => names.map(name => inCsv(row, name)))).toMatchObject(summaries)

    await folder.qanat('report', 'it', '--over', 'seed', '-o', 'report.html')
    const address = pathToFileURL(join(folder.path, 'report.html')).href
    const report = await pageOf(address, { offline: true })
    await report.goto(address)
    const [comparison, { groups }] = await report.evaluate(() =>
      ['comparison', 'tables'].map(id => JSON.parse(document.getElementById(id)!.textContent!)),
    )
    expect(comparison.cells).toEqual(cells)
    for (const name of names) {
      const at = groups.columns.findIndex(({ key }: { key: string }) => key === name)
      const numbers = groups.rows.map((row: any) => row.details[name] ?? Number(row.cells[at]))
      expect(numbers).toEqual(numpys.values[name])
    }

    const page = await visit(folder)
    await goTo(page, '/experiments/it/compare?over=--seed')
    await page.locator('td[title]').first().waitFor()
    const titles = await page.locator('td[title]').evaluateAll(all => all.map(cell => cell.getAttribute('title')))
    const inFull = (summary: Summary) => keys.map(key => `${key} ${summary[key]}`).join(', ')
    expect(titles).toEqual(summaries.flat().map(inFull))
  },
)
