/** Escape sequences of terminals, without their `\x1b`, and the keys that send them. */
const sequences: Readonly<Record<string, string>> = {
  ...{ '[A': 'up', '[B': 'down', '[C': 'right', '[D': 'left', '[H': 'home', '[F': 'end', '[Z': 'backtab' },
  ...{ OA: 'up', OB: 'down', OC: 'right', OD: 'left', OH: 'home', OF: 'end', OM: 'enter' },
  ...{ '[1~': 'home', '[7~': 'home', '[4~': 'end', '[8~': 'end', '[5~': 'pageup', '[6~': 'pagedown', '[3~': 'delete' },
}

const characters: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'ctrl-c',
  '\x15': 'ctrl-u',
  '\x17': 'ctrl-w',
  '\x1a': 'ctrl-z',
}

/** A sequence as terminals send them, and one of which the end is still missing. */
const whole = /^(?:\[[\d;?<=>]*[ -/]*[@-~]|O[ -~])/
const begun = /^(?:\[[\d;?<=>]*[ -/]*|O)?$/

/** What was typed, as keys. */
export interface Typed {
  /** Characters, and names such as `up`, in order. */
  readonly keys: readonly string[]
  /** The beginning of a sequence, whose end may still come; it is Escape and what follows if nothing comes. */
  readonly rest: string
}

/** Reads what a terminal sent. Sequences without a meaning here are left out. @param isAll whether nothing more comes */
export function readKeys(text: string, isAll: boolean): Typed {
  const keys: string[] = []
  let left = text
  while (left !== '') {
    if (!left.startsWith('\x1b')) {
      const [character = ''] = left
      keys.push(characters[character] ?? character)
      left = left.slice(character.length)
      continue
    }
    const after = left.slice(1)
    const sequence = whole.exec(after)?.[0]
    if (sequence === undefined) {
      if (!isAll && begun.test(after)) return { keys, rest: left }
      keys.push('escape')
      left = after
      continue
    }
    const key = sequences[sequence] ?? sequences[sequence.replace(/1;\d+(?=[A-Z])/, '')]
    if (key !== undefined) keys.push(key)
    left = after.slice(sequence.length)
  }
  return { keys, rest: '' }
}
