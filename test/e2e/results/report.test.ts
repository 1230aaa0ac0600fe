import { describe, expect, test } from 'vitest'
import { type Folder, projectWith, quote } from '../project.js'

const script = `
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
seed, model = int(words['--seed']), words['--model']
if words.get('--fail') == words['--seed']:
    sys.exit('<script>alert("stderr")</script>')
folder = words['--storage_path']
json.dump({'acc': len(model) / 7 + seed / 3, '<b>f1</b>': seed, 'nan': float('nan')}, open(f'{folder}/metrics.json', 'w'))
`
const hostile = `"><img src=x onerror=alert(1)>'`

async function project(...more: string[]): Promise<Folder> {
  const folder = await projectWith(script, 'python3')
  const groups = ['a', hostile].flatMap(model => ['-g', `--model ${quote(model)}`])
  const words = ['--description', hostile, 'it', ...groups, '-R', '--seed 0 3 1', '--n_threads', '2', ...more]
  await folder.qanat('run', ...words)
  return folder
}

/** JSON in a page. */
function jsonIn(page: string, id: string) {
  return JSON.parse(new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`).exec(page)![1]!)
}

describe('report', () => {
  test('shows the very numbers of compare, and every group', async () => {
    const folder = await project('--fail', '1')
    const made = await folder.qanat('report', 'it', '-o', 'r.html')
    expect(made).toEqual({ code: 0, stderr: '', stdout: 'r.html: report on 6 groups\n' })
    const compared = await folder.json('compare', 'it', '--over', '--json')
    const { runs, comparison, groups } = jsonIn(folder.read('r.html'), 'tables')
    expect(runs.rows).toMatchObject([{ cells: expect.arrayContaining(['1', 'failed', hostile]) }])
    expect(comparison.rows.map(({ cells, details }: any) => [cells[0], details])).toEqual(
      compared.cells.map(({ parameters, metrics }: any) => [parameters['--model'], metrics]),
    )
    expect(groups.rows.map(({ cells }: any) => cells[0])).toEqual(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5'])
    expect(jsonIn(folder.read('r.html'), 'comparison')).toEqual(compared)
  })

  test('is inert: its policy allows its own style and script only, and nothing of the runs is markup', async () => {
    const folder = await project('--fail', '1')
    await folder.qanat('report', 'it', '-o', 'r.html')
    const page = folder.read('r.html')
    const hash = "'sha256-[\\w+/=]+'"
    const policy = `default-src 'none'; img-src data:; style-src ${hash}; script-src ${hash}`
    expect(page).toMatch(new RegExp(`content="${policy}"`))
    const json = ['comparison', 'tables'].map(id => `<script type="application/json" id="${id}">`)
    expect(page.match(/<script[^>]*>/g)).toEqual([...json, '<script>'])
    expect(page).not.toMatch(/@import|url\(|<(iframe|link|object)[ >]|<b>f1/)
    for (const [attribute] of page.matchAll(/<[^<]* (src|href|style|on\w+)="[^#"]*/g)) {
      expect(attribute).toMatch(/<img src="data:image\/svg\+xml;base64,|href="$/)
    }
    expect(page).toContain('&lt;script&gt;alert(&quot;stderr&quot;)&lt;/script&gt;')
    expect(page).toContain('2 × exit 1')
  })

  test('says that nothing failed, and what varied', async () => {
    const folder = await project()
    await folder.qanat('report', 'it', '1', '--metrics', 'acc', '-o', 'deep/r.html')
    const page = folder.read('deep/r.html')
    expect(page).toContain('None of 6 groups failed.')
    expect(page).toContain('<dt>--seed</dt><dd>0, 1, 2 (averaged over)</dd>')
    expect(page.match(/<figure>/g)).toHaveLength(1)
  })
})
