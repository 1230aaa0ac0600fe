import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  stringify,
  visit,
  type YAMLError,
} from 'yaml'
import { nearest } from '../../domain/text/names.js'
import { OperationError, type QanatError, UserError } from '../../errors.js'

export type YamlPath = readonly (string | number)[]

/** `text` reads every scalar except null as written; `typed` also reads numbers and booleans. */
type Scalars = 'text' | 'typed'

const YAML_HINT =
  "keys of one mapping start in the same column, indentation is spaces, text with ': ' or ' #' needs quotes"

/** A YAML file with the positions of its values. */
export class YamlSource {
  constructor(
    /** Its name in messages. */
    readonly file: string,
    readonly document: Document.Parsed,
    private readonly lines: LineCounter,
  ) {}

  /** Plain data with aliases and merge keys resolved; null for an empty file. */
  value(): unknown {
    try {
      const value = this.document.toJS()
      JSON.stringify(value)
      return value
    } catch (error) {
      const reason = isTooDeep(error) ? tooDeep : `the aliases do not resolve: ${firstLine(error)}`
      throw this.fail([], reason, YAML_HINT)
    }
  }

  /** Line and column (from 1) of the value or the key at the path, or of the nearest existing value around it. */
  position(path: YamlPath, of: 'key' | 'value' = 'value'): { line: number; column: number } {
    const { line, col } = this.lines.linePos(this.offset(path, of))
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }

  /** The error `file:line:column: path: message`. */
  fail(path: YamlPath, message: string, hint?: string | null, of: 'key' | 'value' = 'value'): UserError {
    const { line, column } = this.position(path, of)
    return new UserError(`${this.file}:${line}:${column}: ${displayPath(path)}${message}`, hint)
  }

  /** Runs a check of the value at the path, and adds the position to a UserError that it throws. */
  at<T>(path: YamlPath, check: () => T, of: 'key' | 'value' = 'value'): T {
    try {
      return check()
    } catch (error) {
      throw error instanceof UserError ? this.fail(path, error.message, error.hint, of) : error
    }
  }

  private offset(path: YamlPath, of: 'key' | 'value'): number {
    let node: unknown = this.document.contents
    let offset = startOf(node) ?? 0
    for (const [depth, key] of path.entries()) {
      const parent = isAlias(node) ? node.resolve(this.document) : node
      const pair = isMap(parent) ? parent.items.find(item => isScalar(item.key) && item.key.value === key) : undefined
      node = isSeq(parent) ? parent.items[Number(key)] : pair?.value
      const keyWanted = of === 'key' && depth === path.length - 1
      offset = (keyWanted ? startOf(pair?.key) : startOf(node)) ?? startOf(pair?.key) ?? offset
    }
    return offset
  }
}

/** A value as YAML on one line: `{a: [1, 2]}`. */
export function yamlLine(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim()
}

/** Reads a YAML file. Throws a UserError if it is missing, cannot be read or is broken. */
export function readYaml(file: string, scalars: Scalars = 'typed'): YamlSource {
  return parseYaml(readText(file), file, scalars)
}

/** Reads YAML text; `file` is its name in messages. Throws a UserError with the position of the first mistake. */
export function parseYaml(text: string, file: string, scalars: Scalars = 'typed'): YamlSource {
  const lineCounter = new LineCounter()
  const schema = scalars === 'text' ? { schema: 'failsafe', customTags: ['null' as const] } : { schema: 'core' }
  const document = parseDocument(text, { ...schema, lineCounter, merge: true, stringKeys: true, prettyErrors: false })
  const mistake = document.errors[0]
  if (mistake) {
    const { line, col } = lineCounter.linePos(mistake.pos[0])
    throw new UserError(`${file}:${line}:${col}: ${reasonOf(mistake, text)}`, YAML_HINT)
  }
  return new YamlSource(file, document, lineCounter)
}

/**
 * Turns numbers that would print differently (`007`, `0.10`, `1e3`) and everything under a key `env` into the text as
 * written: a scheduler or a script must get exactly what the user typed.
 */
export function keepAsWritten(node: Node): void {
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'number' && String(scalar.value) !== scalar.source) scalar.value = scalar.source
    },
    Pair(_, pair) {
      if (!isScalar(pair.key) || pair.key.value !== 'env' || !isMap(pair.value)) return
      for (const { value } of pair.value.items) {
        if (isScalar(value) && value.value !== null && value.source !== undefined) value.value = value.source
      }
    },
  })
}

/** The text of a UTF-8 file. Throws a UserError if it is missing or is not text. @param shown its name in messages */
export function readText(file: string, shown = file): string {
  const bytes = piped.get(file) ?? readBytes(file, shown)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UserError(`${shown} is not UTF-8 text`, 'give the path of a YAML file')
  }
}

/** What came out of pipes, such as that of `-f <(…)`, which can be read only once. */
const piped = new Map<string, Uint8Array>()

function readBytes(file: string, shown: string): Uint8Array {
  try {
    const bytes = readFileSync(file)
    if (!statSync(file).isFile()) piped.set(file, bytes)
    return bytes
  } catch (error) {
    throw unreadable(file, shown, error as NodeJS.ErrnoException)
  }
}

function unreadable(file: string, shown: string, error: NodeJS.ErrnoException): QanatError {
  if (error.code === 'ENOENT') {
    const meant = nearestFile(file)
    const suggestion = meant === null ? '' : `. Did you mean ${meant}?`
    return new UserError(`there is no file '${shown}'${suggestion}`, 'check the path of the YAML file')
  }
  if (error.code === 'EISDIR') return new UserError(`'${shown}' is a folder`, 'give the path of a YAML file')
  return new OperationError(`cannot read '${shown}': ${error.message}`)
}

/** A YAML file in the same folder with almost the same name; null if there is none. */
function nearestFile(file: string): string | null {
  try {
    const names = readdirSync(dirname(file)).filter(name => /\.ya?ml$/.test(name))
    const meant = nearest(basename(file), names)
    return meant === null ? null : join(dirname(file), meant)
  } catch {
    return null
  }
}

function reasonOf(mistake: YAMLError, text: string): string {
  if (mistake.code === 'MULTIPLE_DOCS') return 'a second YAML document begins here, but only one is allowed'
  if (isTooDeep(mistake)) return tooDeep
  if (mistake.code === 'DUPLICATE_KEY') return `${/^[^\s:]*/.exec(text.slice(mistake.pos[0]))![0]} is given twice`
  const [, bracket] = /^Flow .* end with a ([\]}])/.exec(mistake.message) ?? []
  if (bracket === ']') return 'a list that begins with [ does not end with ]'
  if (bracket === '}') return 'a mapping that begins with { does not end with }'
  return firstLine(mistake)
}

const tooDeep = 'this value is nested too deeply'

/** The library recurses until the call stack overflows, which JavaScript reports in its own words. */
function isTooDeep(error: unknown): boolean {
  return error instanceof Error && /call stack/.test(error.message)
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}

/** `varying_args.groups[0].options: `; empty for the whole file. */
export function displayPath(path: YamlPath): string {
  const text = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}
