import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { awaits, open, projectWith } from '../e2e/project.js'
import { withData } from '../e2e/runs/flowers.js'
import { withPaper } from '../e2e/runs/paper.js'
import { lacks, skips } from '../skips.js'
import { goTo, heading, press, visit } from './browser.js'
import { measured } from './measured.js'

/** The rows of the table, each with its cells. */
const rows = async (page: Page) =>
  (await page.locator('tbody tr').all()).reduce<Promise<string[][]>>(
    async (all, row) => [...(await all), await row.locator('td').allInnerTexts()],
    Promise.resolve([]),
  )

describe.skipIf(skips('documents and datasets in a browser', lacks('chromium')))('in the browser', () => {
  test('documents say what they need, and follow what is compiled', async () => {
    const folder = await withPaper()
    const page = await visit(folder)
    await page.getByRole('link', { name: 'Documents' }).click()
    await page.getByText('2 missing').waitFor()
    await page.getByText('not compiled').waitFor()
    await press(page, 'ArrowDown Enter')
    await heading(page, 'paper')
    await page.getByText('qanat document compile paper', { exact: true }).waitFor()
    expect((await rows(page)).map(([experiment, , state]) => [experiment, state])).toEqual([
      ['count', 'missing'],
      ['count', 'missing'],
    ])
    await folder.qanat('document', 'compile', 'paper')
    await page.getByText('up to date').nth(1).waitFor()
    expect(await page.getByText('qanat document compile paper').count()).toBe(0)
    await page.getByText('qanat document status paper', { exact: true }).waitFor()
    // Git and files are looked at whenever a page is loaded.
    folder.write('count.sh', `# other code\n${folder.read('count.sh')}`)
    folder.commit()
    await page.reload()
    await page.getByText('count.sh has changed since run 1').waitFor()
    await press(page, 'u')
    await page.getByText('2 stale').waitFor()
  })

  test('datasets say whether they are as the last run has read them', async () => {
    const folder = await withData()
    const page = await visit(folder)
    await page.getByRole('link', { name: 'Datasets' }).click()
    await page.getByText('no run has read it').nth(1).waitFor()
    await folder.qanat('run', 'it', 'true')
    await page.getByText('as run 1 has read it').nth(1).waitFor()
    expect((await rows(page)).map(cells => cells.slice(0, 4))).toEqual([
      ['flowers', 'data', 'it', 'as run 1 has read it'],
      ['tracked', 'tracked', 'it', 'as run 1 has read it'],
    ])
    folder.write('data/b.csv', 'longer')
    await page.reload()
    await page.getByText('dataset flowers changed since run 1: 1 file changed').waitFor()
    expect((await rows(page))[1]![3]).toBe('as run 1 has read it')
    await press(page, 'ArrowDown Enter')
    await heading(page, 'Run 1')
  })

  test('a dataset of which nothing was recorded is not said to be the same', async () => {
    const folder = await withData()
    folder.write('flowers.yaml', 'name: flowers\npath: data\nfingerprint: off\n')
    folder.commit()
    await folder.qanat('run', 'it', 'true')
    const page = await visit(folder)
    await goTo(page, '/datasets')
    await page.getByText('not known: what run 1 has read cannot be compared').waitFor()
    expect((await rows(page)).map(cells => [cells[0], cells[3]])).toEqual([
      ['flowers', 'not known: what run 1 has read cannot be compared'],
      ['tracked', 'as run 1 has read it'],
    ])
  })

  test('an experiment begins with its cells once a run is over, and with its runs before', async () => {
    const folder = await projectWith(awaits('go'))
    await folder.qanat('run', '--detach', 'it')
    const page = await visit(folder)
    await press(page, 'ArrowDown Enter')
    await page.getByText('qanat experiment status it', { exact: true }).waitFor()
    open(folder, 'go')
    await folder.qanat('run_wait', '1')
    const other = await visit(await measured())
    await press(other, 'ArrowDown Enter')
    await other.getByText('qanat compare it', { exact: true }).waitFor()
    expect(await rows(other)).toHaveLength(5)
  })

  test('where there are none, the pages say how to begin', async () => {
    const page = await visit(await projectWith('true'))
    for (const [path, command] of [
      ['/documents', 'qanat document new'],
      ['/datasets', 'qanat dataset new'],
    ] as const) {
      await goTo(page, path)
      await page.getByText(command, { exact: true }).waitFor()
    }
    await goTo(page, '/documents/gone')
    await page.getByText("No document 'gone'").waitFor()
  })
})
