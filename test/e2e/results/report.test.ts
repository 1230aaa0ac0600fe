import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { type Folder, projectWith } from '../project.js'

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
  const groups = ['a', hostile].flatMap(model => ['-g', `--model '${model.replaceAll("'", `'"'"'`)}'`])
  await folder.qanat(
    'run',
    '--description',
    hostile,
    'it',
    ...groups,
    '-R',
    '--seed 0 3 1',
    '--n_threads',
    '2',
    ...more,
  )
  return folder
}

/** The cells of the tables of a page, as a parser of HTML reads them: of each row its texts, or exact values. */
function tablesOf(folder: Folder, file: string): string[][][] {
  const read = `
import html.parser, json, sys
tables, tags, actions = [], set(), []
class Reader(html.parser.HTMLParser):
    cell = None
    def handle_starttag(self, tag, attributes):
        tags.add(tag)
        actions.extend(a for a in attributes if a[0] in ('src', 'style') or a[0][:2] == 'on' or a[0] == 'href' and a[1][0] != '#')
        if tag == 'table': tables.append([])
        if tag == 'tr': tables[-1].append([])
        if tag in ('td', 'th'):
            self.cell = ''
            self.exact = dict(attributes).get('data-value')
    def handle_data(self, data):
        if self.cell is not None: self.cell += data
    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            tables[-1][-1].append(self.exact or self.cell)
            self.cell = None
Reader().feed(open(sys.argv[1], encoding='utf-8').read())
print(json.dumps(tables))
assert not tags & {'img', 'iframe', 'link', 'object', 'b'} and not actions, (tags, actions)
`
  return JSON.parse(execFileSync('python3', ['-c', read, `${folder.path}/${file}`], { encoding: 'utf8' }))
}

describe('report', () => {
  test('shows the very numbers of compare, and every group', async () => {
    const folder = await project('--fail', '1')
    const made = await folder.qanat('report', 'it', '-o', 'r.html')
    expect(made).toEqual({ code: 0, stderr: '', stdout: 'r.html: report on 6 groups\n' })
    const compared = await folder.json('compare', 'it', '--over', '--json')
    const [runs, comparison, groups] = tablesOf(folder, 'r.html')
    expect(runs).toEqual([expect.arrayContaining(['Run', 'Commit']), expect.arrayContaining(['1', 'failed', hostile])])
    const means = compared.cells.map(({ parameters, metrics }: any) => [
      parameters['--model'],
      ...Object.values(metrics).map(({ mean }: any) => String(mean)),
    ])
    expect(comparison!.slice(1).map(row => row.slice(0, 4))).toEqual(means)
    expect(groups!.map(([group]) => group)).toEqual(['group', '1.0', '1.1', '1.2', '1.3', '1.4', '1.5'])
    const [, json] = /<script type="application\/json" id="comparison">(.*?)<\/script>/s.exec(folder.read('r.html'))!
    expect(JSON.parse(json!)).toEqual(compared)
  })

  test('is inert: its policy allows its own style and script only, and nothing of the runs is markup', async () => {
    const folder = await project('--fail', '1')
    await folder.qanat('report', 'it', '-o', 'r.html')
    const page = folder.read('r.html')
    expect(page).toMatch(/content="default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'"/)
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="comparison">', '<script>'])
    expect(page).not.toMatch(/@import|url\(/)
    expect(page).toContain('&lt;script&gt;alert(&quot;stderr&quot;)&lt;/script&gt;')
    expect(page).toContain('2 × exit 1')
  })

  test('says that nothing failed, and what varied', async () => {
    const folder = await project()
    await folder.qanat('report', 'it', '1', '--metrics', 'acc', '-o', 'deep/r.html')
    const page = folder.read('deep/r.html')
    expect(page).toContain('None of 6 groups failed.')
    expect(page).toContain('<dt>--seed</dt><dd>0, 1, 2 (averaged over)</dd>')
    expect(page).toMatch(/<dt>commit<\/dt><dd>[0-9a-f]{40} \(run 1\)<\/dd>/)
    expect(page.match(/<figure>/g)).toHaveLength(1)
  })

  test('says of each run what it ran and read, and of no other', async () => {
    const folder = await projectWith(script, 'python3')
    folder.write('d.yaml', 'name: d\npath: data\n')
    folder.write('data/d.txt', '1\n')
    const update = async (text: string) => {
      folder.write('it.yaml', text)
      folder.commit()
      await folder.qanat('experiment', 'update', 'it', '-f', 'it.yaml')
    }
    await folder.qanat('dataset', 'new', '-f', 'd.yaml')
    await update('datasets: [d]\n')
    const run = (...words: string[]) => folder.qanat('run', ...words, 'it', '--seed', '1', '--model', 'a')
    await run()
    folder.write('it.sh', `${script}# changed\n`)
    await run('--allow_dirty')
    folder.write('it.sh', `${script}open('it.sh', 'a').write('# by itself')\n`)
    await update('datasets: []\nexecutable_command: python3 -u\n')
    await run('--snapshot', 'never')
    folder.write('it.sh', script)
    for (const _ of [4, 5, 6, 7, 8]) await run('--allow_dirty')

    await folder.qanat('report', 'it', '-o', 'r.html')
    const [, provenance] = folder.read('r.html').split('id="Provenance"')
    const entries = [...provenance!.matchAll(/<dt>(command|commit|dataset)<\/dt><dd>(.*)<\/dd>/g)]
    const [last, first] = folder.git('log', '--format=%H').split('\n')
    expect(entries.map(([, kind, text]) => [kind, text])).toEqual([
      ['command', 'python3 it.sh (run 1, 2)'],
      ['command', 'python3 -u it.sh (run 3, 4, 5, 6, 7, 8)'],
      ['commit', `${first} (run 1)`],
      ['commit', `${first}, with uncommitted changes (run 2)`],
      ['commit', `${last}, changed while it ran (run 3)`],
      ['commit', `${last}, with uncommitted changes (run 4, 5, 6, 7, 8)`],
      ['dataset', 'd: data (run 1, 2)'],
    ])
    await folder.qanat('dataset', 'delete', 'd', '--yes')
    await folder.qanat('report', 'it', '1', '-o', 'r.html')
    expect(folder.read('r.html')).toMatch(/<dt>dataset<\/dt><dd>d: \S*data \(deleted\) \(run 1\)<\/dd>/)
  })

  test('of an experiment without runs is refused', async () => {
    const folder = await projectWith(script, 'python3')
    expectError(await folder.qanat('report', 'it', '-o', 'r.html'), 2, 'it has no runs yet')
    expect(folder.has('r.html')).toBe(false)
  })
})
