import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../skips.js'
import { goTo, visit } from './browser.js'
import { drawn } from './drawn.js'
import { measured } from './measured.js'

/** What the picture of the page shows, once it is there. @throws Error if it cannot be shown */
async function picture(page: Page): Promise<{ address: string; svg: string }> {
  const image = page.locator('figure img')
  const address = await image.evaluate(async element => {
    await (element as HTMLImageElement).decode()
    return (element as HTMLImageElement).currentSrc
  })
  return { address, svg: await (await page.request.get(address)).text() }
}

describe.skipIf(skips('the plots in a browser', lacks('chromium')))('the plot page', () => {
  test('draws the same as the command that it shows', async () => {
    const folder = await measured()
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    await page.getByRole('link', { name: 'Plot', exact: true }).click()
    await page.getByText('Bars of 5 groups of run 1, mean over --seed').waitFor()
    await page.getByRole('combobox', { name: 'Metric' }).selectOption('loss')
    await page.getByText('qanat plot it -y loss -o plot.svg', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'over' }).selectOption('--seed')
    await page.getByText('qanat plot it -x --seed -y loss -o plot.svg', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'y logarithmic, not chosen' }).click()
    const command = 'qanat plot it -x --seed -y loss --log y -o plot.svg'
    await page.getByText(command, { exact: true }).waitFor()
    const shown = await picture(page)
    await folder.shell(`${command} --width 170`)
    expect(drawn(shown.svg)).toEqual(drawn(readFileSync(join(folder.path, 'plot.svg'), 'utf8')))
    await page.getByRole('link', { name: '--model, chosen' }).click()
    await page.getByText('Points of 5 groups of run 1, mean over --model').waitFor()
    await page.goBack()
    await page.getByText(command, { exact: true }).waitFor()
  })

  test('says why a choice cannot be drawn, and keeps the plot before it', async () => {
    const page = await visit(await measured())
    await goTo(page, '/experiments/it/plot')
    const before = await picture(page)
    await page.getByRole('combobox', { name: 'As' }).selectOption('heatmap')
    await page.getByRole('alert').filter({ hasText: 'heatmap: it needs two parameters' }).waitFor()
    expect((await picture(page)).address).toBe(before.address)
    await goTo(page, '/experiments/it/plot?kind=pie')
    await page.getByText('kind=pie: unknown').waitFor()
  })

  test.each([
    ['dark', 390, '85', '#d6d6d3'],
    ['light', 1280, '170', '#222'],
  ] as const)('has a picture for a %s screen of %d pixels', async (colorScheme, width, millimetres, ink) => {
    const page = await visit(await measured(), { colorScheme, viewport: { width, height: 800 } })
    await goTo(page, '/experiments/it/plot')
    const { address, svg } = await picture(page)
    expect(new URL(address).searchParams.get('width')).toBe(millimetres)
    expect(svg).toContain(`fill="${ink}"`)
  })
})
