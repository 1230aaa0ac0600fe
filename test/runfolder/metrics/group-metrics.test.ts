import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { usualSources } from '../../../src/domain/results/metrics.js'
import { metricReader, seriesReader } from '../../../src/runfolder/metrics/group-metrics.js'
import { folderWith } from '../../project/temporary.js'
import { asOrdinaryUser } from '../../system/ordinary-user.js'
import { said } from './said.js'

const file = (name: string, step: string | null = null) => ({ file: name, step })
const fixture = (name: string) => join('test/fixtures/metrics', name)

/** What is read from a group with these files. */
/** A reader of groups of a run that lives here. */
function readerIn(sources: Parameters<typeof metricReader>[0], runFolder: string) {
  const read = metricReader(sources, { path: runFolder, isMirror: false })
  return (folder: string) => {
    const { metrics, warnings } = read(folder)!
    return { metrics, warnings: said(warnings) }
  }
}

function readFrom(files: Record<string, string | Buffer>, ...sources: Parameters<typeof metricReader>[0]) {
  const folder = folderWith(files)
  return readerIn(sources, folder)(folder)
}

describe('without a declaration, metrics are found as they are written by', () => {
  const read = (name: string) => readerIn([], fixture(name))(fixture(name))

  test('DVCLive', () => {
    expect(read('dvclive')).toEqual({ metrics: { step: 1, 'train.loss': 0.2, 'val.loss': 0.4 }, warnings: [] })
  })

  test("Lightning's CSVLogger, in its last version", () => {
    const { metrics, warnings } = read('lightning')
    const again = expect.stringContaining('begins at the same step with other values, and is not read')
    expect([Object.keys(metrics), warnings]).toEqual([['train_loss', 'val_acc', 'val_loss'], [again]])
    expect(metrics.val_acc).toEqual({ last: 0.8984, min: 0.8125, max: 0.9062, minStep: 99, maxStep: 199, count: 3 })
    expect(metrics.train_loss).toMatchObject({ last: Number.NaN, min: 0.221, minStep: 249, count: 6 })
  })

  test('the Trainer of Hugging Face', () => {
    const { metrics, warnings } = read('hugging_face')
    expect(warnings).toEqual([])
    const range = { min: 0.25503355264663696, minStep: 50, max: 0.26366251707077026, maxStep: 100 }
    expect(metrics.eval_accuracy).toEqual({ last: 0.30584850907325745, ...range, count: 3 })
    expect(metrics).toMatchObject({ epoch: 3, train_loss: 1.3912, loss: { last: 1.3895, count: 3 } })
    expect(metrics).not.toHaveProperty('max_steps')
  })

  const texts: Record<string, string> = { csv: 'acc,loss\n0.9,1\n', tsv: 'acc\tloss\n0.9\t1\n' }
  test.each(usualSources.map(source => ('file' in source ? source.file : '')))('scripts of users in %s', name => {
    const text = texts[name.split('.').at(-1)!] ?? '{"acc": 0.9, "loss": 1}\n'
    const read = readFrom({ [name.replace('**/', '')]: text })
    expect(read).toEqual({ metrics: { acc: 0.9, loss: 1 }, warnings: [] })
  })

  test('the others, if a folder is private', () => {
    const folder = folderWith({ 'metrics.json': '{"acc": 1}', 'lightning_logs/a/metrics.csv': 'acc\n2\n' })
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'lightning_logs'), 0)
    onTestFinished(() => chmodSync(join(folder, 'lightning_logs'), 0o700))
    const read = readerIn([], folder)
    const warnings = [expect.stringContaining('lightning_logs/**/metrics.csv: EACCES: permission denied')]
    expect(asOrdinaryUser(() => read(folder))).toEqual({ metrics: { acc: 1 }, warnings })
  })

  test('nothing that is there', () => {
    expect(readFrom({ 'notes.json': '{}', 'stdout.txt': 'acc=1' })).toEqual({ metrics: {}, warnings: [] })
  })
})

describe('a pattern', () => {
  const csv = (acc: number) => `acc\n${acc}\n`

  test.each([
    ['a file beside its folders', '*/m.csv', { 'logs/m.csv': csv(1), 'stdout.txt': '' }],
    ['a folder beside its files', '*.csv', { 'm.csv': csv(1), 'z.csv/notes.txt': '' }],
    ['a folder without its file', '*/m.csv', { 'logs/m.csv': csv(1), 'plots/a.svg': '' }],
    ['a folder in the place of its file', '*/sub/m.csv', { 'logs/sub/m.csv': csv(1), 'plots/sub': '' }],
    ['an earlier version', '*/m.csv', { 'v_9/m.csv': csv(2), 'v_10/m.csv': csv(1) }],
  ])('is not hindered by %s', (_, pattern, files) => {
    expect(readFrom(files, file(pattern))).toEqual({ metrics: { acc: 1 }, warnings: [] })
  })

  test.each([
    ['**/m.csv', { 'm.csv': csv(1) }],
    ['**/m.csv', { 'a/b/m.csv': csv(1), 'm.csv': csv(2), 'z/n.csv': csv(3) }],
    ['**/m.csv', { 'v_10/m.csv': csv(1), 'v_9/z/m.csv': csv(2) }],
    ['a/**/b/*.csv', { 'a/b/m.csv': csv(1), 'b/m.csv': csv(2), 'a/m.csv': csv(3) }],
    ['a/**/b/*.csv', { 'a/c/d/b/m.csv': csv(1), 'a/xb/m.csv': csv(2), 'a/b/c/m.csv': csv(3) }],
    ['**/m**.csv', { 'a/metrics.csv': csv(1), 'm/a.csv': csv(2) }],
    ['**/*.csv', { 'a.csv': csv(1), '.cache/m.csv': csv(2), '.m.csv': csv(3) }],
    ['.cache/.*.csv', { '.cache/.m.csv': csv(1), '.cache/m.csv': csv(2) }],
  ])('%s fits one of %j', (pattern, files) => {
    expect(readFrom(files, file(pattern))).toEqual({ metrics: { acc: 1 }, warnings: [] })
  })

  test('does not follow links to folders, which may lead in a circle, nor those that lead nowhere', () => {
    const folder = folderWith({ 'a/m.csv': csv(1) })
    const links = { 'a/up': '..', y: 'a', z: 'nowhere', zz: 'zz' }
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name))
    const read = (name: string) => readerIn([file(name)], folder)(folder)
    for (const name of ['**/m.csv', '*/m.csv']) expect(read(name)).toEqual({ metrics: { acc: 1 }, warnings: [] })
    expect(read('**/n.csv').warnings).toEqual(['**/n.csv is missing'])
  })

  test('that nothing fits is missing, also where a file is in the place of a folder', () => {
    expect(readFrom({ 'logs/a.txt': '' }, file('*/m.csv')).warnings).toEqual(['*/m.csv is missing'])
    expect(readFrom({ logs: '' }, file('logs/m.csv')).warnings).toEqual(['logs/m.csv is missing'])
  })
})

describe('a document', () => {
  test('may nest metrics of every type, with what JSON itself cannot say', () => {
    const text =
      '{"a": {"b": -1.5, "c": "NaN ]}"}, "ok": true, "x": NaN, "y": [1, -Infinity], "n": null, "t": "\\"NaN"}'
    expect(readFrom({ 'm.json': text }, file('m.json')).metrics).toEqual({
      ...{ 'a.b': -1.5, 'a.c': 'NaN ]}', ok: true, x: Number.NaN, t: '"NaN' },
      y: { last: Number.NEGATIVE_INFINITY, min: Number.NEGATIVE_INFINITY, max: 1, minStep: 1, maxStep: 0, count: 2 },
    })
    const yaml = 'a: {b: -1.5}\nok: true\nx: .nan\ny: .inf\nname: best\n'
    expect(readFrom({ 'm.yaml': yaml }, file('m.yaml')).metrics).toEqual({
      ...{ 'a.b': -1.5, ok: true, x: Number.NaN, y: Number.POSITIVE_INFINITY, name: 'best' },
    })
  })

  test('may have names that objects have already', () => {
    const text = '{"__proto__": 1, "constructor": 2, "toString": {"valueOf": 3}}'
    const { metrics } = readFrom({ 'm.json': text }, file('m.json'))
    expect(JSON.stringify(metrics)).toBe('{"__proto__":1,"constructor":2,"toString.valueOf":3}')
  })
})

describe('a series', () => {
  const history = 'epoch,acc,loss\n1,0.5,2\n2,0.75,1\n3,0.625,1\n'
  const lines = '{"epoch":2,"loss":1}\n\n{"epoch":3,"acc":0.625,"loss":1}'

  test.each([
    ['csv', history],
    ['tsv', history.replaceAll(',', '\t')],
    ['jsonl', `{"epoch":1,"acc":0.5,"loss":2}\n{"epoch":2,"acc":0.75}\n${lines}`],
    ['json', '[{"epoch":1,"acc":0.5,"loss":2},{"epoch":2,"acc":0.75,"loss":1},{"epoch":3,"acc":0.625,"loss":1}]'],
  ])('in %s is kept with its range and the steps of it', (format, text) => {
    const acc = { last: 0.625, min: 0.5, max: 0.75, minStep: 1, maxStep: 2, count: 3 }
    const loss = { last: 1, min: 1, max: 2, minStep: 2, maxStep: 1, count: 3 }
    const read = readFrom({ [`h.${format}`]: text }, file(`h.${format}`, 'epoch'))
    expect(read).toEqual({ metrics: { acc, loss }, warnings: [] })
  })

  test('adds its range to a value that an earlier file has', () => {
    const { metrics } = readFrom({ 'm.json': '{"acc": 0.7}', 'h.csv': history }, file('m.json'), file('h.csv', 'epoch'))
    expect(metrics.acc).toEqual({ last: 0.7, min: 0.5, max: 0.75, minStep: 1, maxStep: 2, count: 3 })
  })

  test('is found in the lines of standard output, whatever stands around it', () => {
    const stdout = 'start\r\n[1] acc=0.5 loss=2\racc=0.75 loss=nan\nacc=abc\n\xff acc=0.625 loss=1\n'
    const { metrics, warnings } = readFrom({ 'stdout.txt': stdout }, { stdout: 'acc=(?<acc>\\S+) loss=(?<loss>\\S+)' })
    expect(metrics).toMatchObject({ acc: { last: 0.625, max: 0.75, maxStep: 1 }, loss: { last: 1, min: 1, count: 3 } })
    expect(warnings).toEqual([])
  })
})

describe('what cannot be read is a warning, and costs nothing else:', () => {
  const good = { 'm.json': '{"acc": 1}' }

  const endless = `a: &a [${'1,'.repeat(99)}]\n${'b: [*a,*a,*a,*a,*a,*a,*a,*a]\n'.repeat(2)}`
  test.each([
    ['a missing file', {}, 'x.json is missing'],
    ['an empty file', { 'x.json': '\n' }, 'x.json: it is empty'],
    ['a half-written document', { 'x.json': '{"a": 1, "b"' }, /^x.json: (Une|E)xpected/],
    ['a list of numbers', { 'x.json': '[1, 2]' }, 'x.json: it holds no mapping of names to values'],
    [
      'a half-written last line',
      { 'x.jsonl': '{"a": 1}\n{"a": 2}\n{"a"' },
      '3: x.jsonl: 1 line holds no mapping of JSON',
    ],
    ['a half-written last row', { 'x.csv': 'a,b\n1,2\n3' }, '3: x.csv: 1 row is not whole'],
    ['a second column of a name', { 'x.csv': 'a,a\n1,3\n' }, /^1: x.csv: the column 'a' is there twice, and the first/],
    ['text where numbers are', { 'x.csv': 'a\n1\noops\n3\n' }, "3: x.csv: 1 of 3 values of 'a' are not numbers"],
    ['text in a list', { 'x.json': '{"a": [1, "none", null, 3]}' }, "x.json: 1 of 3 values of 'a' are not numbers"],
    ['a table without its step', { 'x.csv': 'a,b\n1,2\n' }, "x.csv: it has no column 'epoch'"],
    ['aliases without an end', { 'x.yaml': endless }, /^x.yaml: /],
  ])('%s', (_, files, warning) => {
    const [name = 'x.json'] = Object.keys(files)
    const step = String(warning).includes('epoch') ? 'epoch' : null
    const { metrics, warnings } = readFrom({ ...good, ...files }, file(name, step), file('m.json'))
    expect(warnings).toEqual([typeof warning === 'string' ? warning : expect.stringMatching(warning)])
    expect(metrics.acc).toBe(1)
  })

  test('another encoding, a pipe, a folder, a link out of the run, a file of 2 GB', () => {
    const folder = folderWith({
      ...{ 'run/g/m.json': '{"acc": 1}', 'run/g/huge.json': '', 'elsewhere.json': '{"secret": 1}' },
      'run/g/latin.csv': Buffer.from('caf\xe9\n1\n', 'latin1'),
      'run/g/excel.csv': Buffer.from('\ufeffepoch,acc\n0,2\n', 'utf16le'),
      'run/g/image.yaml': Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
      'run/g/zeros.tsv': Buffer.alloc(100_000),
    })
    const group = join(folder, 'run/g')
    truncateSync(join(group, 'huge.json'), 2 ** 31)
    execFileSync('mkfifo', [join(group, 'pipe.json')])
    mkdirSync(join(group, 'folder.json'))
    symlinkSync('../../elsewhere.json', join(group, 'link.json'))
    symlinkSync('/', join(group, 'root'))
    const names = [
      'latin.csv',
      'excel.csv',
      'image.yaml',
      'zeros.tsv',
      'pipe.json',
      'folder.json',
      'link.json',
      'root/etc/x.json',
      'huge.json',
      'm.json',
    ]
    const sources = names.map(name => file(name))
    expect(readerIn(sources, join(folder, 'run'))(group)).toEqual({
      metrics: { acc: 1 },
      warnings: [
        'latin.csv: it is not UTF-8 text',
        'excel.csv: it is not UTF-8 text',
        'image.yaml: it is not UTF-8 text',
        'zeros.tsv: it has no rows',
        'pipe.json: it is no regular file, or may not be read',
        'folder.json: it is no regular file, or may not be read',
        'link.json: it is a link that leads out of the run',
        'root/etc/x.json is missing',
        'huge.json: it is larger than 32 MB',
      ],
    })
  })

  test('the mark of UTF-8 before a table, which is no part of its first name', () => {
    const { metrics } = readFrom({ 'm.csv': Buffer.from('\ufeffepoch,\u00e9\n3,1\n7,2\n') }, file('m.csv'))
    expect(metrics).toMatchObject({ '\u00e9': { last: 2, maxStep: 7 } })
  })

  test('a file that is cut within a letter, whose last value is no earlier one', () => {
    const cut = Buffer.from('step,acc,note\n0,1,a\n1,2,\u00e9').subarray(0, -1)
    const { metrics } = readFrom({ 'm.csv': cut }, file('m.csv'))
    expect(metrics).toMatchObject({ acc: { last: 2 }, note: '\ufffd' })
  })

  test('a file that two sources name, which is one', () => {
    const both = [file('m.csv'), file('m.csv', 'step'), file('*.csv')]
    expect(readFrom({ 'm.csv': 'step,acc\n0,1\n1,2\n' }, ...both)).toMatchObject({
      metrics: { acc: { last: 2 } },
      warnings: [],
    })
  })

  test('a file that grows while it is read, of which a beginning counts', async () => {
    const folder = folderWith({ 'm.csv': 'step,acc\n' })
    const writer = spawn('sh', ['-c', 'i=0; while :; do i=$((i + 1)); echo $i,$i; done >>m.csv'], { cwd: folder })
    onTestFinished(() => void writer.kill('SIGKILL'))
    const read = seriesReader([file('m.csv')], folder)
    for (let count = 0; count < 1000; ) {
      const { points, problems } = read(folder)
      const { values = [] } = points.get('acc') ?? {}
      expect(values).toEqual(values.map((_, at) => at + 1))
      expect(problems.length).toBeLessThanOrEqual(1)
      count = values.length
      await new Promise(setImmediate)
    }
  })

  test('an expression that needs longer than anybody waits, once for all groups', () => {
    const folder = folderWith({
      '0/stdout.txt': `${'a'.repeat(60)}!\n`,
      '1/stdout.txt': 'aab\n',
      '0/m.json': '{"acc": 1}',
    })
    const read = readerIn([{ stdout: '(?<x>(a+)+)b' }, file('m.json')], folder)
    const stopped =
      "stdout.txt: the expression '(?<x>(a+)+)b' was stopped after a second; it has a repetition inside a repetition"
    expect(read(join(folder, '0'))).toEqual({ metrics: { acc: 1 }, warnings: [stopped] })
    // A second second would be over only after this one.
    expect(read(join(folder, '1')).warnings).toEqual([stopped, 'm.json is missing'])
  })
})
