import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { shellProject } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { goTo, visit } from './browser.js'
import { drawn } from './drawn.js'
import { addMeasuredRun } from './filled.js'
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

  test('says why a choice cannot be drawn, and keeps all that can be chosen', async () => {
    const page = await visit(await measured())
    await goTo(page, '/experiments/it/plot')
    await page.getByRole('combobox', { name: 'As' }).selectOption('heatmap')
    await page.getByText('Heatmap: it needs two parameters').waitFor()
    await page.reload()
    await page.getByText('Heatmap: it needs two parameters').waitFor()
    expect(await page.locator('figure').count()).toBe(0)
    await page.getByRole('combobox', { name: 'As' }).selectOption('bars')
    await picture(page)
    for (const [query, problem] of [
      ['y=gone', '-y gone: no group has this metric'],
      ['by=gone', '--by gone: no group has this parameter'],
      ['runs=9', "No run '9' of it"],
      ['kind=pie', 'Kind=pie: unknown'],
    ] as const) {
      await goTo(page, `/experiments/it/plot?${query}`)
      await page.getByText(problem).waitFor()
      expect(await page.getByRole('combobox').count()).toBe(4)
      await page.getByRole('link', { name: 'Draw what fits' }).click()
      await page.getByText('Bars of 5 groups of run 1').waitFor()
    }
  })

  test('begins with something that can be drawn, and says what it leaves out', async () => {
    const folder = await shellProject()
    const counts = { '--model': 4, '--reg': 5, '--fraction': 5, '--poly': 4, '--seed': 2 }
    addMeasuredRun(folder, Object.entries(counts), index => ({ acc: index / 800 }))
    const page = await visit(folder)
    await goTo(page, '/experiments/it/plot')
    await page.getByText('Heat map of 800 groups of run 1, mean over --fraction, --poly, --seed').waitFor()
    const told = 'no legend shows all that varies, so --fraction, --poly are averaged over: --by tells others apart'
    await page.getByText(told).waitFor()
    await picture(page)
    await page.getByRole('link', { name: '--fraction, not chosen' }).click()
    await page.getByText('Points of 800 groups of run 1, mean over --poly, --seed').waitFor()
    await picture(page)
    await page.getByRole('link', { name: '--poly, not chosen' }).click()
    await page.getByText('model, fraction, poly has 80 values, and no legend shows more than 40').waitFor()
    await page.getByRole('link', { name: '--fraction, chosen' }).click()
    await picture(page)
  })

  test('shows seeds if nothing else differs, and another metric where the first one has no numbers', async () => {
    const folder = await shellProject()
    addMeasuredRun(folder, [['--seed', 3]], index => ({ acc: Number.NaN, loss: index }))
    const page = await visit(folder)
    await goTo(page, '/experiments/it/plot')
    await page.getByText('Points of 3 groups of run 1').waitFor()
    await page.getByText('-y acc: all its values are NaN or infinite: loss is drawn instead').waitFor()
    await picture(page)
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
