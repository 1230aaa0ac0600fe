const drawing = 'http://www.w3.org/2000/svg'
const drawn = new Set(['svg', 'rect'])
/** @type {Pick<Document, 'createElement' | 'createElementNS'>} */
let maker = globalThis.document

/** Makes all elements from now on by another maker than the browser: one that writes them to a file. @param {any} other */
export function makeBy(other) {
  maker = other
}

/**
 * Makes an element. Texts are always texts: nothing is ever read as HTML.
 * @param {string} name
 * @param {Record<string, string | number | boolean | null | undefined>} attributes true stands for one without a value
 * @param {(Node | string | null | (Node | string | null)[])[]} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = drawn.has(name) ? maker.createElementNS(drawing, name) : maker.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    element.setAttribute(key, value === true ? '' : String(value))
  }
  element.append(...children.flat().filter(child => child !== null))
  return /** @type {HTMLElement} */ (element)
}

/**
 * Makes the children of an element like those of another with as few changes as possible, so that the focus, a selection
 * and the place in a list stay. Elements with the same `data-key` are the same thing, wherever they stand. What is inside
 * of an element with `data-keep` is left alone.
 * @param {Element} old
 * @param {ParentNode} fresh
 */
export function patchChildren(old, fresh) {
  const focused = document.activeElement
  const keyed = new Map([...old.children].flatMap(child => (keyOf(child) ? [[keyOf(child), child]] : [])))
  let at = old.firstChild
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child)
    const known = key ? keyed.get(key) : at && !keyOf(at) ? at : null
    if (known && known.nodeName === child.nodeName) {
      if (known === at) at = at.nextSibling
      else old.insertBefore(known, at)
      patch(known, child)
    } else old.insertBefore(child, at)
    if (key) keyed.delete(key)
  }
  while (at) {
    const next = at.nextSibling
    at.remove()
    at = next
  }
  // An element that was moved has lost it.
  if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) {
    focused.focus({ preventScroll: true })
  }
}

/** @param {Node} old @param {Node} fresh of the same kind */
function patch(old, fresh) {
  if (!(old instanceof Element && fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue
    return
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name)
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  if (!old.hasAttribute('data-keep')) patchChildren(old, fresh)
  // Once a user has chosen or typed something, the attributes no longer say what is shown.
  if (old instanceof HTMLSelectElement) old.value = /** @type {HTMLSelectElement} */ (fresh).value
  if (old instanceof HTMLInputElement && old !== document.activeElement) {
    old.value = /** @type {HTMLInputElement} */ (fresh).value
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute('data-key') : null
}
