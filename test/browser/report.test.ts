import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeOnce } from '../e2e/made-once.js'
import { type Folder, projectWith, shellProject } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { pageOf } from './browser.js'
import { addMeasuredRun } from './filled.js'

const script = `
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
rate = int(words['--rate'])
if rate == 4: sys.exit('<script>alert("stderr")</script>')
json.dump({'acc': (rate * 7 % 11) / 10, '<img src=x onerror=alert(2)>': rate}, open(words['--storage_path'] + '/metrics.json', 'w'))
`
const hostile = `"><img src=x onerror=alert(1)><script>alert(3)</script>'&amp;`

/** A project with the report on eleven groups, of which one has failed. */
const reported = madeOnce(async () => {
  const folder = await projectWith(script, 'python3')
  const words = ['--description', hostile, '--tag', hostile, 'it', '--x', hostile, '-R', '--rate 0 11 1']
  await folder.qanat('run', ...words, '--n_threads', '2')
  expect((await folder.qanat('report', 'it', '-o', 'report.html')).code).toBe(0)
  return folder
})

/** The report without a network. Anything that it asks for but itself fails the test. */
async function open(folder: Folder, options = {}): Promise<Page> {
  const address = pathToFileURL(join(folder.path, 'report.html')).href
  const page = await pageOf(address, { offline: true, ...options })
  await page.goto(address)
  return page
}

const groupRows = (page: Page) => page.locator('[data-table=groups] tbody tr')
const firstCells = async (page: Page) => groupRows(page).locator('td:first-child').allInnerTexts()

describe.skipIf(skips('the report in a browser', lacks('chromium')))('a report', () => {
  test('opens from a file without a network, shows markup as text, and its tables can be sorted and filtered', async () => {
    const page = await open(await reported())
    await page.getByText(hostile).first().waitFor()
    await page.locator('pre').getByText('<script>alert("stderr")</script>').waitFor()
    expect(await page.locator('img:not(.plots img)').count()).toBe(0)
    const all = await firstCells(page)
    expect(all).toEqual(Array.from({ length: 11 }, (_, index) => `1.${index}`))
    const heading = page.locator('[data-table=groups]').getByRole('button', { name: 'acc' })
    const descending = ['1.3', '1.6', '1.9', '1.1', '1.7', '1.10', '1.2', '1.5', '1.8', '1.0', '1.4']
    for (const expected of [descending, [...descending.slice(0, -1).reverse(), '1.4'], all]) {
      await heading.press('Enter')
      expect(await firstCells(page)).toEqual(expected)
    }
    const field = page.getByLabel('Filter groups: words that a row contains')
    await field.fill('EXIT failed')
    expect(await firstCells(page)).toEqual(['1.4'])
    await page.getByText('1 of 11', { exact: true }).waitFor()
    await field.fill('')
    expect(await firstCells(page)).toHaveLength(11)
  })

  test('sorts means by their numbers, then shows NaN, and leaves out what has no metric', async () => {
    const folder = await projectWith('[ "$1" = none ] || echo "{\\"acc\\": $1}" >"$QANAT_STORAGE_PATH/metrics.json"\n')
    const all = ['12', '0.85', 'NaN', 'none', '-3', '0.9', '0.1']
    const sets = all.flatMap(acc => ['0', '1'].map(seed => `${acc} --seed ${seed}`))
    await folder.qanat('run', 'it', ...sets.flatMap(set => ['-g', set]))
    expect((await folder.qanat('report', 'it', '--by', 'pos_0', '-o', 'report.html')).code).toBe(0)
    const page = await open(folder)
    const comparison = page.locator('[data-table=comparison]')
    const heading = comparison.getByRole('button', { name: 'acc' })
    const shown = async () => {
      await heading.press('Enter')
      return comparison.locator('tbody td:nth-child(2)').allInnerTexts()
    }
    const ascending = ['-3', '0.1', '0.85', '0.9', '12'].map(acc => `${acc} ± 0 (2)`)
    expect(await shown()).toEqual([...ascending.toReversed(), 'NaN ± NaN (2)'])
    expect(await shown()).toEqual([...ascending, 'NaN ± NaN (2)'])
  })

  test('can be read without JavaScript, and on a telephone without scrolling to the side', async () => {
    const page = await open(await reported(), { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await firstCells(page)).toHaveLength(11)
    for (const name of ['Runs', 'Parameters', 'Comparison', 'Plots', 'Failures', 'Provenance', 'Groups']) {
      await page.getByRole('heading', { name, exact: true }).waitFor()
    }
    expect(await page.locator('input:visible, button:visible').count()).toBe(0)
  })

  test('on very many groups has at most 10 MB, and says what it leaves out', async () => {
    const folder = await shellProject()
    addMeasuredRun(folder, [['--seed', 100_000]], index => ({ acc: Math.sin(index), loss: Math.cos(index) }))
    const { stdout } = await folder.qanat('report', 'it', '--over', 'seed', '-o', 'report.html')
    const [, leftOut] = /report on 100000 groups; (\d+) of them are not in its list/.exec(stdout)!
    expect(statSync(join(folder.path, 'report.html')).size).toBeLessThanOrEqual(10_000_000)
    const page = await open(folder)
    await page.getByText(`${leftOut} more groups are left out here: qanat collect it -o groups.csv`).waitFor()
    expect(await groupRows(page).count()).toBe(500)
    const field = page.getByLabel('Filter groups: words that a row contains')
    const last = 99_999 - Number(leftOut)
    await field.fill(`1.${last}`)
    expect(await firstCells(page)).toEqual([`1.${last}`])
    await field.fill('')
    await page.getByRole('button', { name: 'Next' }).click()
    expect((await firstCells(page))[0]).toBe('1.500')
  })
})
