import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../../src/cli/context.js'
import { refreshRuns } from '../../../src/operations/refresh/refresh-runs.js'
import { here } from '../../../src/sites/here.js'
import type { Site } from '../../../src/sites/site.js'
import { awaits, type Folder, open, shellProject, until } from '../project.js'

/** Runs 1, 2, … of which each awaits the gate of its number, at these sites. */
async function liveRuns(...sites: readonly Site[]): Promise<Folder> {
  const folder = await shellProject()
  for (const number of sites.keys()) {
    await folder.qanat('run', '--detach', 'it', awaits(String(number + 1)))
    await folder.whenStatus(number + 1, 'running')
  }
  folder.inDatabase(database => {
    const move = database.prepare('UPDATE runs SET site = ? WHERE id = ?')
    for (const [number, { name }] of sites.entries()) move.run(name, number + 1)
  })
  return folder
}

/** The project as a program sees it that knows these sites, too. */
async function opened({ path }: Folder, sites: readonly Site[]) {
  const warnings: string[] = []
  const findSite = (name: string) => sites.find(site => site.name === name)!
  const workspace = {
    ...(await openWorkspace(path)),
    findSite,
    findContext: () => null,
    warn: (text: string) => void warnings.push(text),
  }
  onTestFinished(() => workspace.store.close())
  const status = (id: number) => workspace.store.runs.get(id).status
  const refresh = () => refreshRuns(workspace, workspace.store.runs.live(), 0)
  return { status, refresh, warnings }
}

test('a site that does not answer changes nothing, and does not delay what runs here', async () => {
  const seen: string[] = []
  const silent: Site = {
    ...here,
    name: 'silent',
    isHere: false,
    patience: 50,
    visit: () => {
      seen.push(project.status(1))
      return new Promise(() => {})
    },
  }
  const broken: Site = {
    ...here,
    name: 'broken',
    isHere: false,
    visit: () => Promise.reject(new Error('connection refused')),
  }
  const sites = [here, silent, broken]
  const folder = await liveRuns(...sites)
  const project = await opened(folder, sites)
  open(folder, '1')
  await until(() => project.refresh().then(() => project.status(1) === 'finished'))
  expect(seen.at(-1)).toBe('finished')
  expect([2, 3].map(project.status)).toEqual(['running', 'running'])
  expect(project.warnings.slice(-2).sort()).toEqual([
    'broken cannot be asked, and its runs are shown as they were before: connection refused',
    'silent has not answered within 0.05 s: its runs are shown as they were before',
  ])
  for (const gate of ['2', '3']) open(folder, gate)
})

test('several sites are asked at the same time', async () => {
  const asked = new Set<string>()
  let areBothAsked = () => {}
  const both = new Promise<void>(resolve => {
    areBothAsked = resolve
  })
  const far = (name: string): Site => ({
    ...here,
    name,
    isHere: false,
    async visit(queries) {
      if (asked.add(name).size === 2) areBothAsked()
      await both
      return here.visit(queries, [])
    },
  })
  const sites = [far('east'), far('west')]
  const folder = await liveRuns(...sites)
  const project = await opened(folder, sites)
  for (const gate of ['1', '2']) open(folder, gate)
  await until(() => project.refresh().then(() => [1, 2].every(id => project.status(id) === 'finished')))
  expect([[...asked].sort(), project.warnings]).toEqual([['east', 'west'], []])
})

test('an end that is read while another command stores a state of its group is read again', async () => {
  let meanwhile = () => {}
  const site: Site = {
    ...here,
    name: 'slow',
    isHere: false,
    async visit(queries) {
      meanwhile()
      return here.visit(queries, [])
    },
  }
  const folder = await liveRuns(site)
  const project = await opened(folder, [site])
  await project.refresh()
  open(folder, '1')
  await until(() => /^1 end /m.test(folder.read('results/it/run_1/.run/records/slot_0')))
  meanwhile = () => folder.inDatabase(database => database.exec("UPDATE groups SET host = 'as another command has it'"))
  await project.refresh()
  expect(project.status(1)).toBe('running')
  meanwhile = () => {}
  await project.refresh()
  expect(project.status(1)).toBe('finished')
})
