import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { awaits, groups, open, quote, shellProject } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { goTo, heading, visit } from './browser.js'
import { addRuns } from './filled.js'
import { measured } from './measured.js'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const written = (page: Page, name: string, text: string) => page.getByLabel(name).filter({ hasText: text }).waitFor()
const lines = (page: Page) => page.locator('tbody tr').allInnerTexts()

describe.skipIf(skips('the pages in a browser', lacks('chromium')))('the pages', () => {
  test('lead from the experiments to a group by the keyboard alone, and back', async () => {
    const page = await visit(await measured())
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('it')
    await page.keyboard.press('Enter')
    await heading(page, 'it')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(page, 'Run 1')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    expect(await focused(page)).toBe('1')
    await page.keyboard.press('Enter')
    await heading(page, 'Group 1')
    await written(page, 'Output', 'model a')
    await page.keyboard.press('n')
    await heading(page, 'Group 2')
    await page.keyboard.press('u')
    await heading(page, 'Run 1')
    for (const title of ['Group 2', 'Group 1', 'Run 1']) {
      await page.goBack()
      await heading(page, title)
    }
    expect(await focused(page)).toBe('1')
  })

  test('say which groups failed, and what to type', async () => {
    const page = await visit(await measured())
    await goTo(page, '/runs/1')
    await page.getByText('1 of 6 groups did not finish').waitFor()
    await page.getByText('1 × exit 1').waitFor()
    await page.getByText('qanat why 1.5').waitFor()
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
    await page.keyboard.press('/')
    await page.keyboard.type('tag:two')
    await page.keyboard.press('Enter')
    await page.getByText('qanat experiment status it --tag two').waitFor()
    expect(await lines(page)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Launched' }).click()
    await page.getByText('qanat experiment status it --tag two --sort -launched').waitFor()
  })

  test('have NaN and its deviation on the right, as other numbers', async () => {
    const folder = await shellProject()
    const acc = (value: string) => `echo '{"acc": ${value}}' >"$QANAT_STORAGE_PATH/metrics.json"`
    const cells = ['1', '2'].flatMap(k => ['1', 'NaN'].map(value => `${quote(acc(value))} --k ${k}`))
    await folder.qanat('run', 'it', ...cells.flatMap(cell => ['-g', cell]))
    const page = await visit(folder)
    await goTo(page, '/experiments/it/compare?over=pos_0')
    // The first column names the row, and stays on the left.
    await page.locator('td.number', { hasText: 'NaN ± NaN (2)' }).first().waitFor()
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

  test.each([
    ['on a telephone', { width: 320, height: 640 }],
    ['on a wide screen', { width: 1920, height: 1080 }],
  ])('need no scrolling to the side %s', async (_, viewport) => {
    const folder = await measured()
    await folder.qanat('run', '--description', 'word'.repeat(60), '--tag', 'x'.repeat(60), 'it', '--seed', '9')
    const page = await visit(folder, { viewport })
    const paths = [
      '/',
      '/runs',
      '/experiments/it',
      '/experiments/it/compare',
      '/experiments/it/plot',
      '/runs/1',
      '/runs/2',
      '/runs/1/groups/5',
    ]
    for (const path of paths) {
      await goTo(page, path)
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      expect([path, content]).toEqual([path, Math.min(content!, window!)])
    }
  })

  test('are dark for those who want that, and their texts can be read', async () => {
    const folder = await measured()
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visit(folder, { colorScheme })
      await goTo(page, '/runs/1')
      const colours = await page.evaluate(() => {
        const ground = getComputedStyle(document.documentElement)
        const muted = getComputedStyle(document.querySelector('th') as Element)
        return [ground.backgroundColor, ground.color, muted.color]
      })
      const [ground, text, muted] = colours.map(lightness) as [number, number, number]
      expect(ground < 0.1).toBe(colorScheme === 'dark')
      for (const each of [text, muted]) expect(contrast(ground, each)).toBeGreaterThan(4.5)
    }
  })

  test('compare with the same numbers as the command that they show', async () => {
    const folder = await measured()
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    await page.getByRole('link', { name: 'Comparison' }).click()
    await page.getByRole('link', { name: '--seed, chosen' }).click()
    await page.getByRole('link', { name: '95 % interval, not chosen' }).click()
    await page.getByRole('link', { name: 'acc', exact: true }).click()
    const command = 'qanat compare it --over --seed --sort -acc --ci'
    await page.getByText(command, { exact: true }).waitFor()
    await page.getByText('2/3 · 1 exit: 1.5').waitFor()
    const { cells } = JSON.parse((await folder.shell(`${command} --json`)).stdout)
    const inFull = cells.map(({ metrics }: any) => ['acc', 'loss'].map(name => textOf(metrics[name])))
    const rows = await page.locator('tbody tr').all()
    const shown = await Promise.all(rows.map(async row => titlesOf(await row.locator('td[title]').all())))
    expect(shown).toEqual(inFull)
    const printed = (await folder.shell(command)).stdout.split('\n').map(line => line.trim().split(/ {2,}/))
    const texts = (await lines(page)).map(line => line.split(/\t/).filter(cell => cell !== ''))
    expect(texts.map(([model, acc, loss]) => [model, acc, loss])).toEqual(
      printed.slice(2, 4).map(([model, acc, loss]) => [model, acc, loss]),
    )
  })

  test('show ten thousand runs, and a run of ten thousand groups, a part at a time', async () => {
    const folder = await shellProject()
    addRuns(folder, 10_000)
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    await page.getByText('1–50 of 10,001').waitFor()
    expect(await lines(page)).toHaveLength(50)
    await page.keyboard.press('n')
    await page.getByText('51–100 of 10,001').waitFor()
    await goTo(page, '/experiments/it?offset=10000')
    await page.getByText('10,001–10,001 of 10,001').waitFor()
    expect(await lines(page)).toHaveLength(1)
    await goTo(page, '/runs/10001?status=failed&offset=50')
    await page.getByText('51–100 of 5,000').waitFor()
    expect((await lines(page))[0]).toMatch(/^101\t/)
  })

  test('say that the command has to be started again, when it has ended or the database has a newer schema', async () => {
    const folder = await shellProject()
    const page = await visit(folder)
    const database = new Database(join(folder.path, '.qanat/database.db'))
    database.pragma('user_version = 1000')
    database.close()
    await page.getByText('a newer Qanat has changed the database meanwhile').waitFor()
    await page.getByText('end this command with Ctrl-C, and start it again').waitFor()
  })

  test('say what to type where nothing is yet', async () => {
    const folder = await shellProject()
    const page = await visit(folder)
    await goTo(page, '/experiments/it')
    await page.getByText('qanat run it …').waitFor()
    await folder.qanat('experiment', 'delete', 'it', '--yes')
    await goTo(page, '/')
    await page.getByText('qanat experiment new').waitFor()
  })
})

/** The numbers of a metric, as the page has them behind a cell. */
function textOf(metric: Record<string, unknown>): string {
  const known = Object.entries(metric).filter(([, value]) => value !== null)
  return known.map(([name, value]) => `${name} ${[value].flat().join(' to ')}`).join(', ')
}

async function titlesOf(cells: readonly { getAttribute(name: string): Promise<string | null> }[]) {
  return Promise.all(cells.map(cell => cell.getAttribute('title')))
}

/** Of a colour `rgb(…)`, from 0 to 1, as WCAG measures it. */
function lightness(colour: string): number {
  const parts = [...colour.matchAll(/\d+/g)].slice(0, 3).map(([part]) => Number(part) / 255)
  const [r, g, b] = parts.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
