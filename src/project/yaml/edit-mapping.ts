import { type Document, isCollection, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml'
import { parseYaml } from './yaml-source.js'

/**
 * Changes keys of a mapping in YAML; the rest, comments, order and the ends of lines stay as they are.
 * @param file its name in messages
 * @param changes undefined for keys to remove
 * @param said what the text says of these keys; inside of lists and mappings, only what is different is changed
 * @throws UserError if the text is broken
 */
export function editMapping(
  text: string,
  file: string,
  changes: ReadonlyMap<string, unknown>,
  said: ReadonlyMap<string, unknown>,
): string {
  let kept = text
  for (const [key, value] of changes) if (value === undefined) kept = withoutKey(kept, file, [key])
  // Every scalar is read as text, so that unchanged values are written back unchanged.
  const document: Document = parseYaml(kept, file, 'text').document
  for (const [key, value] of changes) if (value !== undefined) setDifferences(document, [key], said.get(key), value)
  return changedText(document, text)
}

/**
 * Sets only the different parts of a value if the text has all of these parts, else the whole value, which may be
 * written in another way.
 */
function setDifferences(document: Document, path: readonly string[], said: unknown, value: unknown): void {
  const node = document.getIn(path, true)
  const inside = differencesInside(said, value)
  if (!isCollection(node) || !inside?.every(([key]) => node.has(key))) {
    setValue(document, path, document.createNode(value))
  } else for (const [key, before, after] of inside) setDifferences(document, [...path, key], before, after)
}

/** The parts of two lists or mappings that differ; null if these do not have the same parts. */
function differencesInside(one: unknown, other: unknown): [key: string, one: unknown, other: unknown][] | null {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return null
  const [ones, others] = [Object.entries(one), Object.entries(other)]
  if (Array.isArray(one) !== Array.isArray(other) || ones.length !== others.length) return null
  if (ones.some(([key], at) => key !== others[at]![0])) return null
  return ones
    .map(([key, value], at): [string, unknown, unknown] => [key, value, others[at]![1]])
    .filter(([, value, changed]) => JSON.stringify(value) !== JSON.stringify(changed))
}

/** The text of a changed document, with the ends of lines and the blanks inside of brackets as in the text before. */
export function changedText(document: Document, before: string): string {
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) })
  return /\r\n/.test(before) ? edited.replaceAll('\n', '\r\n') : edited
}

/**
 * Removes a key, if it is there. Only its lines and those of its value go: a comment above may be about more than this key.
 * @param file its name in messages
 * @throws UserError if the text is broken
 */
export function withoutKey(text: string, file: string, path: readonly string[]): string {
  const document: Document = parseYaml(text, file, 'text').document
  const mapping = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const pair = isMap(mapping) ? mapping.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined
  const start = text.lastIndexOf('\n', startOf(pair?.key) - 1) + 1
  // Other keys may stand on the same lines, and the last key of an inner mapping leaves `{}`.
  const isAlone = isMap(mapping) && !mapping.flow && (mapping.items.length > 1 || mapping === document.contents)
  if (!pair || !isAlone || text.slice(start, startOf(pair.key)).trim() !== '') {
    return document.hasIn(path) && document.deleteIn(path) ? changedText(document, text) : text
  }
  const end = Math.max(endOf(pair.key), endOf(pair.value))
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1 || text.length
  const edited = text.slice(0, start) + text.slice(next)
  document.deleteIn(path)
  // A comment that is left may have become part of a text above it.
  const isSame = JSON.stringify(parseYaml(edited, file, 'text').value() ?? {}) === JSON.stringify(document.toJS())
  return isSame ? edited : changedText(document, text)
}

function startOf(node: unknown): number {
  return (isNode(node) && node.range?.[0]) || 0
}

/** Where the last character of a node ends; comments after it are not part of it. */
function endOf(node: unknown): number {
  const last = isCollection(node) && !node.flow ? node.items.at(-1) : undefined
  if (isMap(node) && last) return Math.max(endOf((last as Pair).key), endOf((last as Pair).value))
  if (isSeq(node) && last) return endOf(last)
  return (isNode(node) && node.range?.[1]) || 0
}

/** Sets a value, which takes over the comments of the one before, and is written on one line if that was. */
export function setValue(document: Document, path: readonly string[], value: Node | null): void {
  const previous = document.getIn(path, true)
  if (isNode(previous) && value) {
    value.comment = previous.comment ?? null
    value.commentBefore = previous.commentBefore ?? null
  }
  if (isCollection(previous) && isCollection(value) && previous.flow) value.flow = true
  document.setIn(path, value)
}
