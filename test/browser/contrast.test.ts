import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { lacks, skips } from '../skips.js'
import { goTo, pageOf, visit } from './browser.js'
import { measured } from './measured.js'

/** Texts of a page whose contrast, as WCAG measures it, is below the 4.5 that it asks for. */
function faintTexts(): string[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  /** How light colours are that are painted over each other. */
  const lightness = (colours: readonly string[]) => {
    for (canvas.fillStyle of colours) canvas.fillRect(0, 0, 1, 1)
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].map(part => part / 255)
    const [r, g, b] = parts.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05
  }
  const grounds = (element: Element | null): string[] =>
    element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : []
  const hasText = ({ childNodes }: Element) =>
    [...childNodes].some(node => node.nodeType === 3 && node.nodeValue!.trim())
  return [...document.querySelectorAll('body *')].flatMap(element => {
    if (!element.checkVisibility() || !hasText(element)) return []
    const text = getComputedStyle(element)[element.closest('svg') ? 'fill' : 'color']
    const [low, high] = [lightness(grounds(element)), lightness([text])].sort((one, other) => one - other)
    return high! / low! < 4.5 ? [`${high! / low!}: ${element.outerHTML.slice(0, 200)}`] : []
  })
}

describe.skipIf(skips('the contrast of pages', lacks('chromium')))('texts can be read', () => {
  test.each(['light', 'dark'] as const)('on %s pages, and in a report', async colorScheme => {
    const folder = await measured()
    await folder.qanat('report', 'it', '-o', 'report.html')
    const page = await visit(folder, { colorScheme })
    const report = await pageOf('file:', { colorScheme })
    await report.goto(pathToFileURL(join(folder.path, 'report.html')).href)
    const found = [await report.evaluate(faintTexts)]
    for (const path of [
      '/',
      '/datasets',
      '/runs/1',
      '/runs/1/groups/5',
      '/experiments/it/compare',
      '/experiments/it/plot',
    ]) {
      await goTo(page, path)
      found.push(await page.evaluate(faintTexts))
    }
    expect(found.flat()).toEqual([])
  })
})
