import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { places } from '../docs/projects.js'
import { timeless } from '../docs/timeless.js'
import { update } from '../sessions/run-session.js'
import { lacks, skips } from '../skips.js'
import { goTo, visit } from './browser.js'
import { drawn } from './drawn.js'

const history = 'docs/pictures/history.svg'
/** A picture of a page, and the words that it shows. */
const path = 'docs/pictures/view.png'

const words = 'docs/pictures/view.txt'

test.skipIf(skips('the pictures of the guides', lacks('chromium')))(
  'the pictures of the guides show what there is',
  async () => {
    const { folder } = await places.iris!()
    await folder.shell('qanat run -V "--rate 0.001 0.01 0.1 1" classify_iris -R "--seed 0 5 1" --n_threads 2')
    await folder.qanat('plot', 'classify_iris', '-o', 'results/history.svg')
    const now = folder.read('results/history.svg')
    if (update && `${drawn(now)}` !== `${drawn(readFileSync(history, 'utf8'))}`) writeFileSync(history, now)
    expect(drawn(now)).toEqual(drawn(readFileSync(history, 'utf8')))

    const page = await visit(folder, { viewport: { width: 1080, height: 500 } })
    await goTo(page, '/experiments/classify_iris/compare?over=--seed&ci=1')
    await page.getByText('[0.934').waitFor()
    // The project of a reader is not called as the folder of a test.
    await page.getByRole('link', { name: basename(folder.path) }).evaluate(link => {
      link.textContent = 'iris'
    })
    const shown = timeless((await page.locator('body').allInnerTexts()).join('\n'))
    if (update && shown !== readFileSync(words, 'utf8')) {
      await page.screenshot({ path })
      writeFileSync(words, shown)
    }
    expect(shown).toBe(readFileSync(words, 'utf8'))
  },
)
