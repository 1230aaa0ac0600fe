import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { awaits, type Folder, groups, open, shellProject, until } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { goTo, visit } from './browser.js'

/** Adds a step to the metrics of a group. */
const step = (folder: Folder, group: number, row: string) =>
  appendFileSync(join(folder.path, `results/it/run_1/group_${group}/metrics.csv`), `${row}\n`)

/** The address of the picture that a page shows, which is another one for each plot. */
async function shown(page: Page): Promise<string> {
  const image = page.locator('figure img').first()
  await image.waitFor()
  return image.evaluate(async element => {
    await (element as HTMLImageElement).decode()
    return new URL((element as HTMLImageElement).currentSrc).searchParams.get('of')!
  })
}

/** A project with a run of two groups, which write two steps of a loss and wait. */
async function running(): Promise<Folder> {
  const folder = await shellProject()
  const leave = `cd "$QANAT_STORAGE_PATH"; printf 'step,loss\\n0,0.5\\n1,0.375\\n' >metrics.csv`
  await folder.qanat(
    'run',
    '--detach',
    '--n_threads',
    '2',
    'it',
    ...groups(`${leave}; ${awaits('a')}`, `${leave}; ${awaits('b')}`),
  )
  await until(
    async () => (await folder.qanat('groups', '1', '--json')).stdout,
    text => text.split('"so_far"').length === 3,
  )
  return folder
}

describe.skipIf(skips('the pages of groups that run in a browser', lacks('chromium')))(
  'pages of groups that run',
  () => {
    test.each([
      ['/runs/1', '0.375 …', 'Series of 2 groups of run 1, of which 2 still run'],
      ['/runs/1/groups/0', '0.375 …', 'Series of 1 group of run 1, of which 1 still runs'],
      ['/experiments/it/plot', null, 'Series of 2 groups of run 1, of which 2 still run'],
    ])('%s shows curves as they grow', async (path, value, headline) => {
      const folder = await running()
      const page = await visit(folder)
      await goTo(page, path)
      await page.getByText(headline).first().waitFor()
      if (value !== null) await page.getByText(value).first().waitFor()
      const before = await shown(page)
      step(folder, 0, '2,0.125')
      if (value !== null) await page.getByText('0.125 …').first().waitFor()
      await until(
        () => shown(page),
        address => address !== before,
      )
      for (const gate of ['a', 'b']) open(folder, gate)
      await page
        .getByText(headline.replace(/, of which.*/, ''))
        .first()
        .waitFor()
      await page.getByText('of which').first().waitFor({ state: 'detached' })
      expect(await page.getByText('…', { exact: false }).filter({ hasText: /\d …/ }).count()).toBe(0)
    })

    test('a comparison marks what they have left so far', async () => {
      const folder = await running()
      const page = await visit(folder)
      await goTo(page, '/experiments/it/compare')
      await page.getByText('0.375 …').first().waitFor()
      await page.getByText('values with … are of groups that run, and count in no mean').waitFor()
      step(folder, 1, '2,0.25')
      await page.getByText('0.25 …').waitFor()
      open(folder, 'a')
      await page.getByText('0.375 …').waitFor({ state: 'detached' })
      open(folder, 'b')
      await page.getByText('0.25 …').waitFor({ state: 'detached' })
    })
  },
)
