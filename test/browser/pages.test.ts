import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { awaits, groups, open, quote, shellProject } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { goTo, heading, press, visit } from './browser.js'
import { addRuns } from './filled.js'
import { measured } from './measured.js'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const written = (page: Page, name: string, text: string) => page.getByLabel(name).filter({ hasText: text }).waitFor()
const lines = (page: Page) => page.locator('tbody tr').allInnerTexts()

describe.skipIf(skips('the pages in a browser', lacks('chromium')))('the pages', () => {
  test('lead from the experiments to a group by the keyboard alone, and back', async () => {
    const page = await visit(await measured())
    for (const [keys, title] of [
      ['ArrowDown Enter', 'it'],
      ['ArrowDown Enter', 'Group 0'],
      ['u', 'Run 1'],
      ['ArrowDown ArrowDown ArrowDown ArrowUp Enter', 'Group 1'],
      ['n', 'Group 2'],
      ['u', 'Run 1'],
    ] as const) {
      await press(page, keys)
      await heading(page, title)
      if (title === 'Group 1') await written(page, 'Output', 'model a')
    }
    for (const title of ['Group 2', 'Group 1', 'Run 1']) {
      await page.goBack()
      await heading(page, title)
    }
    expect(await focused(page)).toBe('1')
  })

  test('lead to the documentation, which can be searched and whose pages link to each other', async () => {
    const page = await visit(await shellProject())
    await page.getByRole('link', { name: 'Help' }).click()
    await page.getByRole('searchbox').fill('storage_path')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Your own script' }).click()
    await heading(page, 'Your own script')
    expect(await page.locator('pre').count()).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Help' }).click()
    await page.getByRole('heading', { name: 'tutorial' }).waitFor()
  })

  test('say which groups failed, and what to type', async () => {
    const page = await visit(await measured())
    await goTo(page, '/runs/1')
    for (const text of ['1 of 6 groups did not finish', '1 × exit 1', 'qanat why 1.5'])
      await page.getByText(text).waitFor()
    await page.getByRole('link', { name: 'failed 1' }).click()
    await page.waitForURL(/status=failed/)
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' })
    expect(await lines(page)).toEqual([expect.stringContaining('exit 1')])
  })

  test('narrow a list as one types after /, and show the command that does the same', async () => {
    const folder = await shellProject()
    for (const tag of ['one', 'two']) await folder.qanat('run', '--tag', tag, 'it', 'true')
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    await page.keyboard.type('/tag:two\n')
    await page.getByText('qanat experiment status it --tag two').waitFor()
    expect(await lines(page)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Launched' }).click()
    await page.getByText('qanat experiment status it --tag two --sort -launched').waitFor()
  })

  test('change with the run that they show', async () => {
    const folder = await shellProject()
    await folder.qanat('run', '--detach', '--n_threads', '2', 'it', ...groups(awaits('a'), awaits('b')))
    const page = await visit(folder)
    await goTo(page, '/runs/1')
    await page.getByRole('link', { name: 'running 2' }).waitFor()
    await page.keyboard.press('ArrowDown')
    open(folder, 'b')
    await page.getByText('1 of 2 groups have finished, 1 to go').waitFor()
    expect(await focused(page)).toBe('0')
    open(folder, 'a')
    await page.getByText('2 of 2 groups have finished').waitFor()
    await page.locator('h1 .finished').waitFor()
    await goTo(page, '/')
    await folder.qanat('run', 'it', 'exit 1')
    await page.getByText('1 finished, 1 failed').waitFor()
  })

  test('follow what a group writes, from where they are', async () => {
    const folder = await shellProject()
    const code = `printf 'one\\r50 %%\\r100 %%\\n\\033[31mred\\033[0m\\n'; ${awaits('a')}; echo two; echo wrong >&2; ${awaits('b')}`
    await folder.qanat('run', '--detach', 'it', code)
    const page = await visit(folder)
    await goTo(page, '/runs/1/groups/0')
    await written(page, 'Output', '100 % red')
    expect(await page.locator('pre').first().textContent()).toBe('100 %\nred\n')
    const added = page.waitForRequest(/stdout\?from=\d+$/)
    open(folder, 'a')
    await written(page, 'Output', 'two')
    await written(page, 'Errors', 'wrong')
    expect((await added).url()).toMatch(/from=2\d$/)
    expect(await page.locator('pre').first().textContent()).toBe('100 %\nred\ntwo\n')
    open(folder, 'b')
    await page.locator('h1 .finished').waitFor()
    // As a retry would do it.
    folder.write('results/it/run_1/stdout.txt', 'again\n')
    await written(page, 'Output', 'again')
    expect(await page.locator('pre').first().textContent()).toBe('again\n')
  })

  test('show names and values of any kind as they are, and run nothing of them', async () => {
    const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>"'&amp;\u202e`
    const folder = await shellProject()
    const code = `printf %s ${quote(hostile)}; printf %s ${quote(hostile)} >&2; exit 1`
    await folder.qanat('run', '--tag', hostile, '--description', hostile, 'it', code, '--x', hostile)
    await folder.qanat('run_comment', 'it', '1', '-m', hostile)
    const page = await visit(folder)
    for (const path of ['/runs', '/experiments/it', '/runs/1', '/runs/1/groups/0', '/experiments/it/compare']) {
      await goTo(page, path)
      await page.getByText('<img src=x').first().waitFor()
      expect(await page.locator('main img, main script').count()).toBe(0)
    }
    await goTo(page, `/experiments/${encodeURIComponent(hostile)}`)
    await page.getByText("No experiment '<img").waitFor()
  })

  test('need no scrolling to the side on a telephone', async () => {
    const folder = await measured()
    await folder.qanat('run', '--description', 'word'.repeat(60), '--tag', 'x'.repeat(60), 'it', '--seed', '9')
    const page = await visit(folder, { viewport: { width: 320, height: 640 } })
    const ofExperiment = ['', '/compare', '/plot'].map(path => `/experiments/it${path}`)
    for (const path of [
      '/',
      '/runs',
      '/documents',
      '/datasets',
      ...ofExperiment,
      '/runs/1',
      '/runs/2',
      '/runs/1/groups/5',
    ]) {
      await goTo(page, path)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([path, width]).toEqual([path, 320])
    }
  })

  test.each([
    ['light', 'rgb(252, 252, 251)'],
    ['dark', 'rgb(19, 20, 22)'],
  ] as const)('are %s for those who want that', async (colorScheme, ground) => {
    const page = await visit(await shellProject(), { colorScheme })
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(ground)
  })

  test('compare with the same numbers as the command that they show', async () => {
    const folder = await measured()
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    for (const name of ['Comparison', '--seed, chosen', '95 % interval, not chosen', 'acc'])
      await page.getByRole('link', { name, exact: true }).click()
    const command = 'qanat compare it --over --seed --sort -acc --ci'
    await page.getByText(command, { exact: true }).waitFor()
    await page.getByText('2/3 · 1 exit: 1.5').waitFor()
    const printed = (await folder.shell(command)).stdout.split('\n').slice(2, 4)
    const shown = (await lines(page)).map(line =>
      line
        .split('\t')
        .filter(cell => cell !== '')
        .slice(0, 3),
    )
    expect(shown).toEqual(printed.map(line => line.trim().split(/ {2,}/).slice(0, 3)))
  })

  test('show ten thousand runs, and a run of ten thousand groups, a part at a time', async () => {
    const folder = await shellProject()
    addRuns(folder, 10_000)
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    await page.getByText('1–50 of 10,001').waitFor()
    await page.keyboard.press('n')
    await page.getByText('51–100 of 10,001').waitFor()
    await goTo(page, '/experiments/it?offset=10000')
    await page.getByText('10,001–10,001 of 10,001').waitFor()
    expect(await lines(page)).toHaveLength(1)
    await goTo(page, '/runs/10001?status=failed&offset=50')
    await page.getByText('51–100 of 5,000').waitFor()
    expect((await lines(page))[0]).toMatch(/^101\t/)
  })
})
