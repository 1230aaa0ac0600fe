import { isDeepStrictEqual } from 'node:util'
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  type Scalar,
  YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { UserError } from '../../errors.js'
import { parseYaml } from './yaml-source.js'

/**
 * Lets a mapping in YAML say something else. Only the lines of keys that differ are written anew; in their lists and mappings,
 * what stays keeps its comments and how it is written.
 * @param file its name in messages
 * @param said what the text says, as another document
 * @param wanted what it is to say
 * @throws UserError if the text is broken, or written in a way that does not let it be changed
 */
export function editMapping(text: string, file: string, said: Document, wanted: Document): string {
  const [before, after] = [said, wanted].map(each => each.toJS() as Data) as [Data, Data]
  const changed = Object.keys({ ...before, ...after }).filter(key => !isDeepStrictEqual(before[key], after[key]))
  try {
    let edited = text
    for (const key of changed) if (!Object.hasOwn(after, key)) edited = withoutKey(edited, file, [key])
    for (const key of changed) {
      if (!Object.hasOwn(after, key)) continue
      // Every scalar is read as text, so that unchanged values are written back unchanged.
      const document: Document = parseYaml(edited, file, 'text').document
      edited = withValue(document, edited, file, key, before[key], wanted.get(key, true) as Node)
    }
    return edited
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    // An anchor has gone that is used elsewhere.
    throw new UserError(`${file} is written in a way that cannot be changed here`, 'edit it: the next command knows')
  }
}

type Data = Readonly<Record<string, unknown>>

/** Sets a key to what a node of another document says. Only its own lines change, where it has some. */
function withValue(document: Document, text: string, file: string, key: string, said: unknown, model: Node): string {
  const mapping = document.contents
  const pair = isMap(mapping) ? pairOf(mapping, key) : undefined
  const start = text.lastIndexOf('\n', startOf(pair?.key) - 1) + 1
  const isAlone = isMap(mapping) && !mapping.flow && (!pair || text.slice(start, startOf(pair.key)).trim() === '')
  const [from, to] = pair ? linesOf(text, pair) : placeBelow(text, mapping)
  const head = pair ? takeHead(text.slice(from, to), pair.value) : null
  const value = changedNode(document, pair?.value, said, model)
  document.setIn([key], value)
  if (!isAlone) return changedText(document, text)
  const own = ownLines(key, value as Node, text.slice(from, to) || text)
  const written = head === null ? own : own.replace(/^.*/, () => head)
  const above = from > 0 && text[from - 1] !== '\n' ? '\n' : ''
  const edited = text.slice(0, from) + above + withEnds(written, text) + text.slice(to)
  const isSame = isDeepStrictEqual(parseYaml(edited, file, 'text').value(), document.toJS())
  return isSame ? edited : changedText(document, text)
}

function pairOf(mapping: YAMLMap, key: string): Pair | undefined {
  return mapping.items.find(each => isScalar(each.key) && each.key.value === key)
}

/** Where the lines of a key and its value begin and end. */
function linesOf(text: string, { key, value }: Pair): [start: number, end: number] {
  const end = Math.max(endOf(key), endOf(value))
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1 || text.length
  return [text.lastIndexOf('\n', startOf(key) - 1) + 1, next]
}

/** The line of a key with a comment and nothing else, which is taken from the list or mapping below it; null for another line. */
function takeHead(lines: string, value: unknown): string | null {
  const [head] = /^[^\s#][^#\n]*:[ \t]+#[^\r\n]*/.exec(lines) ?? []
  if (head === undefined || !isCollection(value) || value.flow || !value.commentBefore) return null
  value.commentBefore = value.commentBefore.split('\n').slice(1).join('\n') || null
  return head
}

/** Where a key is added: below the last one. */
function placeBelow(text: string, mapping: unknown): [start: number, end: number] {
  const last = isMap(mapping) ? mapping.items.at(-1) : undefined
  const end = last ? linesOf(text, last)[1] : 0
  return [end, end]
}

/** A key and its value as lines. Comments around them stay in the text. @param before its lines until now, or the whole text */
function ownLines(key: string, value: Node, before: string): string {
  const alone = new Document(undefined, { schema: 'failsafe', customTags: ['null'] })
  const mapping = new YAMLMap(alone.schema)
  const shown = value.clone() as Node
  if (isCollection(shown) && !shown.flow) shown.comment = null
  mapping.items.push(new Pair(alone.createNode(key), shown))
  alone.contents = mapping
  return alone.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) })
}

/**
 * A node that says what another one does, as far as possible the one that is there.
 * @param node what is there
 * @param said what that says; it may be written in another way, then it is replaced
 */
function changedNode(document: Document, node: unknown, said: unknown, model: unknown): unknown {
  const value = isNode(model) ? model.toJSON() : model
  if (node !== undefined && isDeepStrictEqual(said, value)) return node
  if (isScalar(node) && isScalar(model) && typeof value === 'string' && node.value !== null) {
    node.value = value
    if (node.type === 'PLAIN' && model.type) node.type = model.type
    return node
  }
  if (isMap(node) && isMap(model) && isObject(said) && Object.keys(said).every(key => node.has(key))) {
    return changedMap(document, node, said, model)
  }
  if (isSeq(node) && isSeq(model) && Array.isArray(said) && said.length === node.items.length) {
    return changedList(document, node, said, model)
  }
  return freshNode(document, node, model)
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function changedMap(document: Document, node: YAMLMap, said: Data, model: YAMLMap): YAMLMap {
  ownComment(node, node.items[0]?.key)
  const kept = node.items.filter(
    ({ key }) => isScalar(key) && (model.has(key.value) || !Object.hasOwn(said, String(key.value))),
  )
  node.items = kept
  for (const { key, value } of model.items) {
    const name = String((key as Scalar).value)
    const pair = pairOf(node, name)
    if (pair) pair.value = changedNode(document, pair.value, said[name], value)
    else node.items.push(document.createPair(name, freshNode(document, undefined, value)))
  }
  return node
}

/** Entries that say the same are kept, wherever they stand now, then those of the same name. */
function changedList(document: Document, node: YAMLSeq, said: readonly unknown[], model: YAMLSeq): YAMLSeq {
  ownComment(node, node.items[0])
  const left = said.map((value, at) => ({ value, node: node.items[at] }))
  const take = (isIt: (value: unknown) => boolean) => {
    const at = left.findIndex(({ value }) => isIt(value))
    return at === -1 ? null : left.splice(at, 1)[0]!
  }
  const values = model.items.map(each => (isNode(each) ? each.toJSON() : each))
  const same = values.map(value => take(each => isDeepStrictEqual(each, value)))
  const named = values.map(
    (value, at) => same[at] ?? take(each => nameOf(each) !== null && nameOf(each) === nameOf(value)),
  )
  const near = values.map((value, at) => named[at] ?? take(each => differsOnce(each, value)))
  // A list of texts in which one became another is the same list.
  const isAsLong = said.length === values.length
  node.items = model.items.map((each, at) => {
    const found = near[at] ?? (isAsLong && !isObject(values[at]) ? take(() => true) : null)
    return found ? changedEntry(document, found.node, found.value, each) : freshNode(document, undefined, each)
  })
  return node
}

/** The comment above an entry is about all of it, not about its first key. */
function changedEntry(document: Document, node: unknown, said: unknown, model: unknown): unknown {
  const above = isNode(node) ? node.commentBefore : null
  if (isNode(node)) node.commentBefore = null
  const entry = changedNode(document, node, said, model)
  if (isNode(entry)) entry.commentBefore = above ?? null
  return entry
}

/** By which an entry of a list is known: its name, or its only key. */
function nameOf(value: unknown): unknown {
  if (!isObject(value)) return null
  const keys = Object.keys(value)
  return value.name ?? value.experiment_name ?? (keys.length === 1 ? keys[0] : null)
}

/** Whether two mappings differ in the value of one key only. */
function differsOnce(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys({ ...one, ...other })
  return keys.length > 1 && keys.filter(key => !isDeepStrictEqual(one[key], other[key])).length === 1
}

/** A comment above the first entry of a collection is about that one: it goes with it. */
function ownComment(collection: YAMLMap | YAMLSeq, first: unknown): void {
  if (!isNode(first) || collection.flow || !collection.commentBefore || first.commentBefore) return
  first.commentBefore = collection.commentBefore
  collection.commentBefore = null
}

/** A new node that is written as its model, and takes over the comments of the one before. */
function freshNode(document: Document, previous: unknown, model: unknown): Node {
  const node = document.createNode(isNode(model) ? model.toJSON() : model) as Node
  quoteAs(node, model)
  if (isNode(previous)) {
    node.comment = previous.comment ?? null
    node.commentBefore = previous.commentBefore ?? null
  }
  if (isCollection(previous) && isCollection(node) && previous.flow) node.flow = true
  return node
}

function quoteAs(node: unknown, model: unknown): void {
  if (isScalar(node) && isScalar(model) && model.type?.startsWith('QUOTE')) node.type = model.type
  else if (isCollection(node) && isCollection(model)) {
    for (const [at, each] of node.items.entries()) {
      const other = model.items[at]
      if (isPair(each) && isPair(other)) quoteAs(each.value, other.value)
      else quoteAs(each, other)
    }
  }
}

/** The text of a changed document, with the ends of lines and the blanks inside of brackets as in the text before. */
export function changedText(document: Document, before: string): string {
  return withEnds(document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) }), before)
}

function withEnds(edited: string, before: string): string {
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
