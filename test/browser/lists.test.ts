import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Folder, groups, shellProject, until } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { goTo, heading, press, visit } from './browser.js'
import { measured } from './measured.js'

const leaves = (acc: number) => `echo '{"acc": ${acc}}' >"$QANAT_STORAGE_PATH/metrics.json"`

/** Three runs of an experiment that says what is best, and one of another that does not. */
async function withBest(): Promise<Folder> {
  const folder = await shellProject()
  folder.write('good.yaml', 'name: good\nexecutable: it.sh\nexecutable_command: sh\nbest: {acc: max}\n')
  folder.commit()
  await folder.qanat('experiment', 'new', '-f', 'good.yaml')
  await folder.qanat('run', 'good', ...groups(leaves(0.5), leaves(0.97214)))
  await folder.qanat('run', 'good', leaves(0.25))
  await folder.qanat('run', 'good', 'true')
  await folder.qanat('run', 'it', leaves(1))
  // A list may have no time to read all metrics.
  await until(async () => (await folder.json('runs', '--json')).runs.every(({ best }: any) => best !== null))
  return folder
}

const ids = (page: Page) => page.locator('tbody tr td:first-child').allInnerTexts()

describe.skipIf(skips('lists in a browser', lacks('chromium')))('in the browser', () => {
  test('lists of runs show the best metrics, and are sorted and filtered by them like those of the command that they show', async () => {
    const folder = await withBest()
    const page = await visit(folder)
    for (const [path, list] of [
      ['/experiments/good', 'experiment status good'],
      ['/runs', 'runs'],
    ] as const) {
      await goTo(page, path)
      await page.getByText('0.9721').waitFor()
      await page.getByLabel('Filter runs by their best metrics').fill('acc < 1, acc>=.25')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'acc', exact: true }).press('Enter')
      const command = `qanat ${list} --where 'acc < 1' --where 'acc>=.25' --sort -acc`
      await page.getByText(command, { exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('where')).toBe('acc < 1, acc>=.25')
      const { runs } = JSON.parse((await folder.shell(`${command} --json`)).stdout)
      expect(await ids(page)).toEqual(runs.map(({ id }: { id: number }) => String(id)))
      expect(await ids(page)).toEqual(['1', '2'])
    }
  })

  test('lists say why a condition on a metric cannot be read, and stay as they were', async () => {
    const page = await visit(await withBest())
    await goTo(page, '/experiments/good')
    const before = await ids(page)
    for (const [condition, problem] of [
      ['acc >', '--where acc >: not a condition: write a metric'],
      ['loss > 1', '--where loss > 1: no experiment says when loss is best'],
    ] as const) {
      await page.getByLabel('Filter runs by their best metrics').fill(condition)
      await page.keyboard.press('Enter')
      await page.getByRole('alert').filter({ hasText: problem }).waitFor()
      expect(await ids(page)).toEqual(before)
    }
    await page.reload()
    await page.getByText('no experiment says when loss is best').waitFor()
    await page.getByRole('link', { name: 'Show it without these choices' }).click()
    await page.locator('tbody tr').first().waitFor()
    expect(await ids(page)).toEqual(before)
  })

  test('two groups are chosen from lists by the keyboard, and stand side by side as in the terminal', async () => {
    const folder = await measured()
    folder.write('other.py', '<b>not bold</b>\n')
    folder.commit()
    await folder.qanat('run', 'it', '--model', 'a', '--seed', '7')
    const page = await visit(folder)
    await goTo(page, '/runs/1')
    await press(page, 'ArrowDown ArrowDown c')
    await page.getByText('Group 1.1 is chosen.').waitFor()
    await page.keyboard.press('u')
    await heading(page, 'it')
    await page.getByText('Group 1.1 is chosen.').waitFor()
    await press(page, 'ArrowDown c')
    await heading(page, 'Groups 1.1 and 2.0')
    const command = 'qanat compare 1.1 2.0'
    await page.getByText(command, { exact: true }).waitFor()
    const printed = (await folder.shell(command)).stdout
    const rows = await page.locator('tbody tr').all()
    const shown = await Promise.all(rows.map(row => row.locator('th, td').allInnerTexts()))
    const lines = printed.split('\n').map(line => line.trim().split(/ {2,}/))
    for (const name of ['--seed', 'status', 'commit', 'acc', 'loss']) {
      expect(shown).toContainEqual(lines.find(([first]) => first === name))
    }
    expect(shown).toContainEqual(['--model', 'a', 'a'])
    expect(await page.getByLabel('Diff of the code').textContent()).toContain('+<b>not bold</b>')
    expect(printed).toContain('+<b>not bold</b>')
    await page.goBack()
    await page.getByRole('link', { name: 'Choose none' }).click()
    await page.getByText('is chosen.').waitFor({ state: 'detached' })
  })

  test('the groups of a run are filtered and sorted like those of the command that is shown', async () => {
    const folder = await measured()
    const page = await visit(folder)
    await goTo(page, '/runs/1')
    await page.getByLabel('Filter groups by parameter, cause or host').fill('--model:b')
    await page.keyboard.press('Enter')
    await page.getByText('qanat groups 1 --param --model:b', { exact: true }).waitFor()
    expect(await ids(page)).toHaveLength(3)
    await page.getByLabel('Filter groups by their metrics').fill('acc > 0.7')
    await page.keyboard.press('Enter')
    const filtered = "qanat groups 1 --param --model:b --where 'acc > 0.7'"
    await page.getByText(filtered, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'acc', exact: true }).click()
    const command = `${filtered} --sort -acc`
    await page.getByText(command, { exact: true }).waitFor()
    const { groups } = JSON.parse((await folder.shell(`${command} --json`)).stdout)
    expect(await ids(page)).toEqual(groups.map(({ index }: { index: number }) => String(index)))
    expect(await ids(page)).toHaveLength(2)
    await page.getByRole('link', { name: 'failed 1' }).click()
    await page.getByText('No group fits.').waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByText('qanat groups 1 --sort -acc', { exact: true }).waitFor()
    await page.getByLabel('Filter groups by parameter, cause or host').fill('cause:exit')
    await page.keyboard.press('Enter')
    await page.getByText('qanat groups 1 --cause exit --sort -acc', { exact: true }).waitFor()
    expect(await ids(page)).toEqual(['5'])
    await page.getByLabel('Filter groups by parameter, cause or host').fill('--mode:b')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: '--param --mode: no group has this parameter' }).waitFor()
  })

  test('runs are told apart by their parameters, and by commit and uncommitted changes', async () => {
    const folder = await measured()
    await folder.qanat('run', 'it', '--model', 'a', '--seed', '7')
    folder.write('other.py', 'pass\n')
    await folder.qanat('run', '--allow_dirty', 'it', '--model', 'a', '--seed', '7')
    const { runs } = await folder.json('runs', '--json')
    const commit = (id: number) => runs.find((run: { id: number }) => run.id === id).commit_sha.slice(0, 7)
    const page = await visit(folder)
    const textOf = (column: string) => page.locator(`td.column-${column}`).allInnerTexts()
    await goTo(page, '/runs')
    await page.locator('tbody tr').nth(2).waitFor()
    expect(await textOf('parameters')).toEqual(['--model a --seed 7', '--model a --seed 7', '--seed 0,1,2 --model a,b'])
    expect(await textOf('commit')).toEqual([expect.stringMatching(`^${commit(3)}\\+....$`), commit(2), commit(1)])
    expect((await page.locator('footer').allInnerTexts()).join()).toMatch(/filter.*rows.*open/s)
    await goTo(page, '/experiments/gone')
    expect((await page.locator('footer').allInnerTexts()).join()).not.toMatch(/filter|rows|compare|previous/)
  })

  test('the field above a comparison chooses its runs', async () => {
    const folder = await measured()
    await folder.qanat('run', 'it', '--model', 'a', '--seed', '7')
    const page = await visit(folder)
    await goTo(page, '/experiments/it/compare')
    await page.getByText('6 groups of runs 1, 2').waitFor()
    await page.getByLabel('Runs, as in 4 7-9').fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('qanat compare it 2', { exact: true }).waitFor()
    await page.getByText('1 group of run 2').waitFor()
  })
})
