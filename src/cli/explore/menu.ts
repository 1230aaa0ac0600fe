import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  type KeypressEvent,
  useKeypress,
  useMemo,
  useState,
} from '@inquirer/core'
import { fitted } from '../../views/format/fit.js'

/** An entry of a menu. */
export interface MenuItem<Value> {
  /** The key that chooses the entry, in a menu with keys. */
  readonly key?: string
  /** Computed only for entries that are visible or searched. */
  readonly name: () => string
  readonly value: Value
}

interface MenuConfig<Value> {
  readonly message: string
  readonly items: readonly MenuItem<Value>[]
  /** Text below the list about the entry under the pointer. */
  readonly preview: (value: Value) => string
  /** `keys`: a letter chooses its entry; `search`: typing filters the entries. */
  readonly letters: 'keys' | 'search'
  /** The mark in front of the current entry. */
  readonly pointer: string
}

const mostPreviewLines = 9

/** A list to choose from: arrows, Page Up and Page Down, Enter; Escape returns null. */
const prompt = createPrompt<unknown, MenuConfig<unknown>>((config, done) => {
  const [at, setAt] = useState(0)
  const [search, setSearch] = useState('')
  const items = useMemo(() => matching(config, search), [config.items, search])
  const place = Math.min(at, Math.max(0, items.length - 1))
  const size = pageSize()
  useKeypress((key, line) => {
    if (key.name === 'escape') return done(null)
    if (isEnterKey(key)) return items.length > 0 ? done(items[place]!.value) : undefined
    const steps = stepsOf(key, size)
    if (steps !== 0) return setAt(Math.max(0, Math.min(items.length - 1, place + steps)))
    if (config.letters === 'search') {
      if (line.line !== search) setAt(0)
      return setSearch(line.line)
    }
    line.clearLine(0)
    const chosen = config.items.find(item => item.key !== undefined && item.key === key.name)
    if (chosen || key.name === 'q') done(chosen ? chosen.value : null)
  })
  const width = (process.stderr.columns ?? 80) - 1
  const first = Math.max(0, Math.min(place - Math.floor(size / 2), items.length - size))
  const lines = items.slice(first, first + size).map((item, offset) => {
    const pointer = first + offset === place ? config.pointer : ' '.repeat(config.pointer.length)
    return fitted(`${pointer} ${item.key ? `[${item.key}] ` : ''}${item.name()}`, width)
  })
  const below =
    items.length > 0 ? config.preview(items[place]!.value).split('\n').slice(0, mostPreviewLines) : ['nothing']
  const count = items.length > size ? ` (${place + 1} of ${items.length})` : ''
  return [
    `? ${config.message}${count} ${search}`,
    [...lines, '─'.repeat(Math.min(width, 60)), ...below.map(line => fitted(line, width))].join('\n'),
  ]
})

function matching<Value>({ items, letters }: MenuConfig<Value>, search: string): readonly MenuItem<Value>[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (letters === 'keys' || words.length === 0) return items
  return items.filter(item => words.every(word => item.name().toLowerCase().includes(word)))
}

function stepsOf(key: KeypressEvent, size: number): number {
  if (isUpKey(key)) return -1
  if (isDownKey(key)) return 1
  if (key.name === 'pageup') return -size
  return key.name === 'pagedown' ? size : 0
}

/** How many entries fit between the question and the preview below. */
function pageSize(): number {
  return Math.max(4, (process.stderr.rows ?? 24) - mostPreviewLines - 4)
}

/** Lets the user choose, on stderr; null after Escape. */
export async function choose<Value>(config: MenuConfig<Value>): Promise<Value | null> {
  return (await prompt(config as MenuConfig<unknown>, {
    output: process.stderr,
    clearPromptOnDone: true,
  })) as Value | null
}
