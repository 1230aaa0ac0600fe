import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { Folder } from '../e2e/project.js'
import { view } from './serving.js'

let browser: Browser | null = null
afterAll(() => browser?.close())

/** The pages of a project in a browser of their own, see {@link pageOf}. */
export async function visit(folder: Folder, options: BrowserContextOptions = {}): Promise<Page> {
  const { address } = await view(folder)
  const page = await pageOf(new URL(address).origin, options)
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** A page in a browser of its own. What it complains of, or asks of addresses that begin otherwise, fails the test. */
export async function pageOf(own: string, options: BrowserContextOptions = {}): Promise<Page> {
  // Without a sandbox of its own, which root cannot have: it only visits pages of the tests.
  browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'], timeout: 600_000 })
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  // A limit against hanging, not a measure of speed.
  page.setDefaultTimeout(600_000)
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    // A refused or a broken connection is told to the user, too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  page.on('request', request => {
    if (!request.url().startsWith(own)) complaints.push(`asks for ${request.url()}`)
  })
  page.on('dialog', dialog => complaints.push(`says ${dialog.message()}`))
  onTestFinished(() => expect(complaints).toEqual([]))
  return page
}

/** Goes to the page of a path. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** The heading of the page, once it is that. */
export async function heading(page: Page, text: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: text }).waitFor()
}

/** Presses keys, one after the other. */
export async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}
