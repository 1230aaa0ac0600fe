import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActionRecord } from '../../../src/domain/action-record.js'
import type { CrateContent } from '../../../src/domain/crate/entities.js'
import { crateMetadata } from '../../../src/domain/crate/metadata.js'
import type { Fingerprint } from '../../../src/domain/data/fingerprint.js'
import { testAny } from '../../cases.js'
import { endedRun, failedGroup } from '../../views/sample-run.js'
import { breaches, type Entity } from './profile.js'

const script = { path: 'plot.sh', commit: 'c0ffee', patch: null, content: 'sha256:12' }
const action: ActionRecord = {
  ...{ format: 1, id: '20261122T220000-ab', action: 'plot', experiment: 'iris', runs: [], document: null, script },
  ...{ command: ['sh', 'plot.sh', 'a b'], user: 'ben', host: 'node1', process: null, started: 1000, finished: 2000 },
  ...{ exitCode: 0, tree: null, complete: true, shared: false },
  inputs: { files: 0, bytes: 0, listed: [], complete: true },
  made: [{ path: 'results/iris/run_4/fig.svg', size: 1, digest: null, change: 'made' }],
}

const file = (name: string, group: number | null) => ({ name, size: 3, sha256: 'ba78', group })
const fingerprint: Fingerprint = {
  ...{ name: 'iris', level: 'stat', taken: 1000, files: 2, tracked: 0, bytes: 30, partial: null },
  ...{ digest: 'da7a', listing: 'ab' },
}
const token = '52fb4f6f-a074-4a21-842b-109d47e38175'
const content: CrateContent = {
  ...{ run: endedRun, token, groups: [{ ...failedGroup, index: 0 }, failedGroup] },
  files: [
    ...[file('run_4/group_1/a.txt', 1), file('run_4/fig.svg', null), file('uncommitted.patch', null)],
    ...[file('environments/12.txt', null), file('data/iris.jsonl', null)],
  ],
  environments: [{ name: 'environments/12.txt', places: [{ attempt: 1, host: 'node17' }] }],
  ...{ folder: 'run_4', patch: 'uncommitted.patch', agent: 'ada', actions: [action], missing: [], exported: 0 },
  program: { command: 'python iris.py', description: '', repository: 'https://example.org/iris' },
  datasets: [{ name: 'iris', description: 'flowers', path: 'data/iris', fingerprint, listing: 'data/iris.jsonl' }],
  nameOf: path => (path.endsWith('fig.svg') ? 'run_4/fig.svg' : null),
}

const names = ({ files }: CrateContent) => files.map(({ name }) => name)
const entity = (of: CrateContent, id: string) =>
  (JSON.parse(crateMetadata(of))['@graph'] as Entity[]).find(each => each['@id'] === id)!

describe('the metadata of a crate', () => {
  test('keep the rules of RO-Crate 1.1 and of the Process Run Crate 0.5', () => {
    expect(breaches(crateMetadata(content), names(content))).toEqual([])
  })

  test('keep them without a repository, data, files and actions, and while an end is not known', () => {
    const end = { started: null, finished: null, host: null, jobId: null }
    const groups = [{ ...failedGroup, status: { state: 'lost', cause: 'never_started', ...end } as const }]
    const program = { ...content.program, repository: null }
    const actions = [{ ...action, finished: null, exitCode: null, made: [] }]
    const poor = { ...content, program, groups, datasets: [], files: [], environments: [], patch: null, actions }
    expect(breaches(crateMetadata(poor), [])).toEqual([])
    expect(breaches(crateMetadata({ ...poor, actions: [] }), [])).toEqual([])
  })

  const word = fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => !/^\.{1,2}$|[/\0]/.test(text))
  const paths = fc.uniqueArray(word, { maxLength: 4 }).map(all => all.map(path => file(`run_4/group_1/${path}`, 1)))
  testAny([paths, fc.dictionary(word, word), word])('keep them whatever names are', (files, parameters, user) => {
    const less = { ...content, datasets: [], patch: null, actions: [] }
    const any = { ...less, files, groups: [{ ...failedGroup, parameters }], agent: user, missing: [user] }
    expect(breaches(crateMetadata(any), names(any))).toEqual([])
  })

  test('say in which environment each group ran, and what it read', () => {
    const group = (index: number) => ({ '@id': `#${token}-${index}` })
    expect(entity(content, 'environments/12.txt').about).toEqual([group(0), group(1)])
    const other = { ...content, environments: [{ name: 'environments/12.txt', places: [] }] }
    expect(entity(other, 'environments/12.txt').about).toBeUndefined()
    expect(entity(content, '#dataset-iris')).toMatchObject({
      identifier: 'stat:da7a',
      subjectOf: { '@id': 'data/iris.jsonl' },
      description: 'flowers. It is not in the crate. It was read at data/iris. It had 2 files of 30 bytes',
    })
    expect(entity(content, 'data/iris.jsonl').about).toEqual({ '@id': '#dataset-iris' })
    const unknown = { ...content, datasets: [{ ...content.datasets[0]!, fingerprint: null, listing: null }] }
    expect(breaches(crateMetadata(unknown), names(content))).toEqual([])
  })

  test('say of an action on which groups it worked, in which tree, and what of the crate it has made', () => {
    const tree = { commit: 'da7e', changed: 2, files: ['a.py', 'b.py'], code: null }
    const runs = [
      { id: 4, token, groups: [1] },
      { id: 5, token: 'other', groups: null },
    ]
    const made = [
      { path: 'fig.svg', size: 1, digest: 'sha256:other', change: 'made' } as const,
      { path: 'run_4/group_1/a.txt', size: 1, digest: 'sha256:ba78', change: 'changed' } as const,
    ]
    const nameOf = (path: string) => (path === 'fig.svg' ? 'run_4/fig.svg' : path)
    const of = { ...content, nameOf, actions: [{ ...action, runs, tree, made }] }
    expect(breaches(crateMetadata(of), names(of))).toEqual([])
    expect(entity(of, '#action-20261122T220000-ab')).toMatchObject({
      object: [{ '@id': 'run_4/group_1/' }],
      result: [{ '@id': 'run_4/group_1/a.txt' }],
      description:
        "sh plot.sh 'a b'. Called at commit da7e, with uncommitted changes of 2 other files (a.py, b.py). It also worked on run 5, not in this crate",
    })
    expect(entity(of, 'run_4/group_1/').hasPart).toEqual([{ '@id': 'run_4/group_1/a.txt' }])
    const gone = { ...of, files: [file('run_4/fig.svg', null)] }
    expect(entity(gone, '#action-20261122T220000-ab').object).toEqual([{ '@id': 'run_4/' }])
  })

  test('say what each group did, and what is missing', () => {
    expect(entity(content, `#${token}-1`)).toMatchObject({
      instrument: { '@id': '#experiment' },
      result: [{ '@id': 'run_4/group_1/a.txt' }],
      actionStatus: { '@id': 'http://schema.org/FailedActionStatus' },
      error: 'failed: exit',
    })
    expect(entity(content, '#action-20261122T220000-ab').result).toEqual([{ '@id': 'run_4/fig.svg' }])
    const { version, codeRepository, hasPart } = entity(content, '#experiment')
    expect([version, codeRepository]).toEqual([endedRun.commit, 'https://example.org/iris'])
    expect(hasPart).toEqual({ '@id': 'uncommitted.patch' })
    expect(entity({ ...content, missing: ['4.1 is gone'] }, './').description).toContain('Missing: 4.1 is gone')
  })
})
