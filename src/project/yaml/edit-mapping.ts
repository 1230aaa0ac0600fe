import { type Document, isCollection, isNode, type Node } from 'yaml'
import { parseYaml } from './yaml-source.js'

/**
 * Changes keys of a mapping in YAML; the rest, comments, order and the ends of lines stay as they are.
 * @param file its name in messages
 * @param changes undefined for keys to remove
 * @throws UserError if the text is broken
 */
export function editMapping(text: string, file: string, changes: ReadonlyMap<string, unknown>): string {
  // Every scalar is read as text, so that unchanged values are written back unchanged.
  const document: Document = parseYaml(text, file, 'text').document
  for (const [key, value] of changes) {
    if (value === undefined) document.delete(key)
    else setValue(document, [key], document.createNode(value))
  }
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(text) })
  return /\r\n/.test(text) ? edited.replaceAll('\n', '\r\n') : edited
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
