/** How much of an output stays on the page, in characters. */
const most = 262_144
/** Milliseconds between two looks, while the group runs and after its end (it may be run again). */
const pauses = { running: 500, over: 4000 }

/** @type {WeakSet<Element>} */
const followed = new WeakSet()

/** Fills the panes of outputs on a page and keeps adding what their groups write. @param {ParentNode} page */
export function followLogs(page) {
  for (const pane of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll('pre[data-log]'))) {
    if (followed.has(pane)) continue
    followed.add(pane)
    void follow(pane)
  }
}

/** @param {HTMLElement} pane */
async function follow(pane) {
  const shown = pane.appendChild(document.createTextNode(''))
  /** @type {number | null} */
  let from = null
  let decoder = new TextDecoder()
  let text = ''
  while (pane.isConnected) {
    const isOver = pane.dataset.over === 'true'
    /** @type {Awaited<ReturnType<typeof partOf>>} */
    const part = document.hidden ? null : await partOf(`${pane.dataset.log}`, from)
    if (part?.problem) pane.dataset.empty = part.problem
    else if (part) {
      const isNew = from === null || part.start !== from
      if (isNew) {
        decoder = new TextDecoder()
        text = part.start > 0 ? '…' : ''
      }
      const isAtEnd = from === null || pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 4
      from = part.start + part.bytes.byteLength
      text = (text + decoder.decode(part.bytes, { stream: true })).slice(-most)
      put(shown, readable(text))
      pane.dataset.empty = isOver ? 'It wrote nothing.' : 'Nothing yet.'
      if (isAtEnd) pane.scrollTop = pane.scrollHeight
    }
    await new Promise(resolve => setTimeout(resolve, isOver ? pauses.over : pauses.running))
  }
}

/**
 * @param {string} address
 * @param {number | null} from
 * @returns {Promise<{ start: number, bytes: ArrayBuffer, problem: string } | null>} null if the server does not answer
 */
async function partOf(address, from) {
  const response = await fetch(from === null ? address : `${address}?from=${from}`).catch(() => null)
  if (!response || response.status === 403) return null
  if (!response.ok) return { start: 0, bytes: new ArrayBuffer(), problem: (await response.json()).error.message }
  return { start: Number(response.headers.get('X-Start')), bytes: await response.arrayBuffer(), problem: '' }
}

/** What was added is appended, so that a selection stays. @param {Text} node @param {string} text */
function put(node, text) {
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length))
  else node.data = text
}

/** As a terminal would leave it: of a line that was overwritten only the last text, and no colours. @param {string} text */
function readable(text) {
  return text
    .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g, '')
    .split('\n')
    .map(line => {
      const whole = line.endsWith('\r') ? line.slice(0, -1) : line
      return whole.slice(whole.lastIndexOf('\r') + 1)
    })
    .join('\n')
}
