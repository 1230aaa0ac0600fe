/** The looks of a report, on screens and on paper, light and dark, wide and narrow. */
export const style = `
:root { color-scheme: light dark; --text: #1c1e21; --soft: #5f6670; --line: #dfe2e6; --back: #fff; --card: #f7f8fa; --link: #0063a5; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --soft: #9aa2ad; --line: #353a41; --back: #16181c; --card: #1e2126; --link: #6cb6ee; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 0.5rem; } p { margin: 0.4rem 0; }
nav { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 1rem 0; } a { color: var(--link); }
.soft, figcaption, caption { color: var(--soft); } code, pre { font: 0.85em/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0.4rem 0; padding: 0.6rem 0.8rem; background: var(--card); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; }
.tall { max-height: 40rem; overflow: auto; }
table { border-collapse: collapse; font-size: 0.9rem; } th, td { padding: 0.25rem 0.9rem 0.25rem 0; text-align: left; vertical-align: top; max-width: 24rem; overflow-wrap: break-word; }
th { border-bottom: 1px solid var(--line); font-weight: 600; white-space: nowrap; background: var(--back); } td { border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; white-space: nowrap; } td.long { white-space: normal; min-width: 12rem; } .tall th { position: sticky; top: 0; }
th button { all: unset; cursor: pointer; } th button:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
th[aria-sort=ascending] button::after { content: ' ↑'; } th[aria-sort=descending] button::after { content: ' ↓'; }
input { font: inherit; padding: 0.3rem 0.6rem; margin: 0.4rem 0.6rem 0.4rem 0; width: 20rem; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: inherit; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; max-width: 100%; } figure svg { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
figcaption { font-size: 0.85rem; margin-top: 0.3rem; max-width: 34rem; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.2rem; margin: 0.5rem 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--soft); }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: 0.4rem; } input { width: 100%; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav, input, output { display: none; } .tall { max-height: none; overflow: visible; } tr, figure { break-inside: avoid; } h2 { break-after: avoid; } }
`

/** Lets tables be sorted by their headings, and filtered. Without it they are as they are. */
export const script = `
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0], rows = [...body.rows], texts = new Map()
  const heads = [...table.tHead.rows[0].cells]
  const valueOf = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent
  heads.forEach((head, at) => {
    const button = document.createElement('button')
    button.append(...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending'
      heads.forEach(each => each.removeAttribute('aria-sort'))
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending')
      const keyed = rows.map(row => ({ row, text: valueOf(row, at) }))
      // NaN comes behind all numbers in both orders, and then what is unknown.
      const rank = ({ text }) => (text === '' || text === '–' ? 2 : text === 'NaN' ? 1 : 0)
      const isNumber = keyed.every(each => rank(each) > 0 || !Number.isNaN(Number(each.text)))
      const compared = (a, b) => (isNumber ? a.text - b.text : a.text.localeCompare(b.text, 'en', { numeric: true }))
      keyed.sort((a, b) => rank(a) - rank(b) || (rank(a) > 0 ? 0 : compared(a, b) * (down ? -1 : 1)))
      // Moved in the page one by one, thousands of rows would take minutes.
      body.remove()
      body.append(...keyed.map(({ row }) => row))
      table.append(body)
    })
  })
  if (rows.length < 10) continue
  const input = document.createElement('input'), count = document.createElement('output')
  input.type = 'search'
  input.placeholder = 'Filter: words that a row contains'
  input.setAttribute('aria-label', input.placeholder)
  count.className = 'soft'
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\\s+/)
    let shown = 0
    body.remove()
    for (const row of rows) {
      if (!texts.has(row)) texts.set(row, [...row.cells].map(cell => cell.textContent).join(' ').toLowerCase())
      row.hidden = !words.every(word => texts.get(row).includes(word))
      if (!row.hidden) shown++
    }
    table.append(body)
    count.textContent = shown + ' of ' + rows.length
  })
  table.parentElement.before(input, count)
}
`
