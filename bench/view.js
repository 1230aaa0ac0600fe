import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { inTurn } from './measure.js'
import { program, temporaryFolder } from './project.js'
import { addMetrics, addRuns, fullProject } from './status.js'

const row = {
  name: 'view',
  reference: 'the same page as a file, by `python3 -m http.server`',
  needs: { program: 'chromium', package: 'chromium' },
}

/** What the pages of `view` take in Chromium until they show their rows. */
export const viewRows = [
  {
    ...row,
    what: '`qanat view` of 10,000 runs: from the address to the first 50',
    target: '≤ 3×',
    measure: () => inBrowser(async (page, address) => (await timed(page, () => page.goto(address), '1–50')).took),
  },
  {
    ...row,
    what: 'from a click to the next 50',
    target: '≤ 2×',
    measure: () =>
      inBrowser(async (page, address) => {
        await timed(page, () => page.goto(address), '1–50')
        return (await timed(page, () => page.click('a[rel=next]'), '51–100')).took
      }),
  },
]

/** Milliseconds until a page shows a part of the list. */
async function timed(page, act, part) {
  const start = performance.now()
  await act()
  await page.waitForFunction(text => document.querySelector('nav.pager')?.textContent.includes(text), part)
  return { took: performance.now() - start, html: await page.content() }
}

/** @param look at the page of an address: milliseconds that it took */
async function inBrowser(look) {
  const project = fullProject(database => addRuns(database, 10_000), addMetrics)
  // The best metrics have been found by then, as in a project in which one looks at runs now and then.
  project.qanat('experiment', 'status', 'full')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const servers = []
  const serve = (words, options, pattern) => {
    const server = spawn(words[0], words.slice(1), { stdio: ['ignore', 'pipe', 'ignore'], ...options })
    servers.push(server)
    let printed = ''
    return new Promise(resolve => {
      server.stdout.setEncoding('utf8').on('data', text => {
        printed += text
        const found = pattern.exec(printed)
        if (found) resolve(found[1])
      })
    })
  }
  try {
    const view = await serve(
      [process.execPath, program, 'view'],
      { cwd: project.path, env: project.environment },
      /^(http\S+)\n/,
    )
    const ours = new URL(view)
    const page = await (await browser.newContext()).newPage()
    await page.goto(view)
    ours.pathname = '/experiments/full'
    ours.search = ''
    const folder = temporaryFolder()
    const { html: first } = await timed(page, () => page.goto(ours.href), '1–50')
    const { html: second } = await timed(page, () => page.click('a[rel=next]'), '51–100')
    const style = await page.evaluate(async () => (await fetch('/pages/style.css')).text())
    const alone = html =>
      html.replace(/<script.*?<\/script>|<link[^>]*>/gs, '').replace('</head>', `<style>${style}</style></head>`)
    writeFileSync(
      join(folder, 'first.html'),
      alone(first).replace(/href="[^"]*"( rel="next")?/g, 'href="second.html"$1'),
    )
    writeFileSync(join(folder, 'second.html'), alone(second))
    const python = ['python3', '-u', '-m', 'http.server', '--bind', '127.0.0.1', '0']
    const port = await serve(python, { cwd: folder }, /port (\d+) /)
    const theirs = `http://127.0.0.1:${port}/first.html`
    return await inTurn(
      15,
      () => look(page, ours.href),
      () => look(page, theirs),
    )
  } finally {
    await browser.close()
    for (const server of servers) server.kill()
  }
}
