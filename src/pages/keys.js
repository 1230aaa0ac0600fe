/** The keys of all pages. @param {(up: string) => void} go */
export function listenToKeys(go) {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = /** @type {HTMLElement} */ (event.target)
    if (target.matches('input, select, textarea')) {
      if (event.key !== 'Escape') return
      // It would empty the field in some browsers.
      event.preventDefault()
      target.blur()
      return
    }
    if (target.matches('pre') && event.key.startsWith('Arrow')) return
    const act = actions[event.key]
    if (act?.(go)) event.preventDefault()
  })
}

/** Each says whether it has done anything. @type {Record<string, (go: (address: string) => void) => boolean>} */
const actions = {
  '/': () => focus(document.querySelector('input[type=search]')),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  j: () => move(1),
  k: () => move(-1),
  c: go => follow(go, 'tr:focus-within .pick a'),
  n: go => follow(go, 'a[rel=next]'),
  p: go => follow(go, 'a[rel=prev]'),
  u: go => follow(go, '#above a:last-of-type'),
}

/** From row to row. @param {number} by */
function move(by) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main a.open')])
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement))
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by
  return focus(rows[next] ?? null)
}

/** @param {HTMLElement | null | undefined} element */
function focus(element) {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
  return Boolean(element)
}

/** @param {(address: string) => void} go @param {string} selector of a link */
function follow(go, selector) {
  const link = document.querySelector(selector)?.getAttribute('href')
  if (link) go(link)
  return Boolean(link)
}
