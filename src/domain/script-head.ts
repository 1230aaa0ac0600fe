import { parameterName } from './parameters/arguments.js'
import { splitWords } from './text/words.js'

/** An option or a positional that a script declares, as far as its text tells. */
interface DeclaredOption {
  /** With its dashes; a positional has none. */
  readonly name: string
  readonly isRequired: boolean
  readonly isFlag: boolean
  /** As it is typed; null if it is not known. */
  readonly value: string | null
}

/** What the text of a script tells about how it is called. */
export interface ScriptHead {
  readonly options: readonly DeclaredOption[]
  /** Before the folder for its output: see PathOptions. Undefined if nothing is known of it. */
  readonly storageOption: string | null | undefined
  /** The option before the path of data; undefined if nothing is known of it. */
  readonly datasetOption: string | undefined
}

/** Names of options, without dashes and with underscores, that usually stand before a folder for output, and before data. */
const usualNames = {
  storage: [
    ...['storage_path', 'output_dir', 'out_dir', 'outdir', 'output_folder', 'output_path', 'save_dir', 'savedir'],
    ...['save_path', 'results_dir', 'result_dir', 'run_dir', 'exp_dir', 'work_dir', 'workdir', 'default_root_dir'],
    ...['log_dir', 'logdir', 'output', 'out'],
  ],
  dataset: [
    'dataset_path',
    'data_dir',
    'data_path',
    'data_root',
    'data_folder',
    'dataset_dir',
    'dataset',
    'data',
    'input',
  ],
}

/** Reads the text of a script, without running it. */
export function readHead(text: string): ScriptHead {
  const code = text.replaceAll(/^\s*(#|\/\/).*$/gm, '')
  const options = declaredOptions(code)
  const declared = options.filter(({ name, isFlag, value }) => name.startsWith('--') && !isFlag && !isFileName(value))
  // Other parsers, and scripts that parse their arguments themselves, name them in their text, too.
  const mentioned = options.length > 0 ? [] : (code.match(/(?<![\w-])--[a-zA-Z][\w-]*/g) ?? [])
  const names = [...declared.map(({ name }) => name), ...mentioned]
  const usual = (list: readonly string[]) =>
    list.flatMap(
      each => names.find(name => name.replace(/^--/, '').replaceAll('-', '_').toLowerCase() === each) ?? [],
    )[0]
  return {
    options,
    storageOption: usual(usualNames.storage) ?? otherStorage(code),
    datasetOption: usual(usualNames.dataset),
  }
}

/** How scripts learn their folder that declare no option for it. */
function otherStorage(code: string): string | null | undefined {
  if (code.includes('QANAT_STORAGE_PATH')) return null
  if (/^\s*(import|from)\s+hydra\b/m.test(code)) return 'hydra.run.dir='
  // The arguments of Hugging Face's trainer.
  return /\bTrainingArguments\b/.test(code) ? '--output_dir' : undefined
}

/** An option such as `--out metrics.json` is not before a folder. */
function isFileName(value: string | null): boolean {
  return value !== null && /[^/.]\.[a-z]\w*$/i.test(value)
}

/** Calls that declare options: of argparse, optparse, click and their likes in Python and R. */
const declaring = /(?:\b(?:add_argument|add_option|make_option|add_arg)|@(?:\w+\.)?(?:option|argument))\s*\(/g

function declaredOptions(code: string): DeclaredOption[] {
  const found = [...code.matchAll(declaring)].map(({ index, 0: call }) => argumentsAt(code, index + call.length))
  return found.flatMap(words => optionOf(words) ?? [])
}

/** The texts between the commas of a call, from behind its bracket on. */
function argumentsAt(code: string, from: number): string[] {
  const words = ['']
  let depth = 0
  for (const [part] of code.slice(from).matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#.*|[\s\S]/g)) {
    if (part.startsWith('#')) continue
    if (/^[([{]$/.test(part)) depth++
    if (/^[)\]}]$/.test(part) && depth-- === 0) break
    if (part === ',' && depth === 0) words.push('')
    else words[words.length - 1] += part
  }
  return words.map(word => word.trim()).filter(word => word !== '')
}

function optionOf(words: readonly string[]): DeclaredOption | null {
  const key = (...names: string[]) =>
    words.flatMap(word => new RegExp(`^(?:${names.join('|')})\\s*=\\s*([\\s\\S]*)$`).exec(word)?.[1] ?? [])[0]
  // Several names are several words, or c("-l", "--lr") in R; click adds that of a Python variable.
  const names = words.filter(word => /^(c\()?["']/.test(word)).flatMap(literals)
  const name = names.find(each => each.startsWith('--')) ?? names.find(each => each.startsWith('-')) ?? names[0]
  if (name === undefined || !/^-{0,2}[a-zA-Z][\w-]*$/.test(name)) return null
  const isPositional = !name.startsWith('-')
  const action = literals(key('action') ?? '')[0] ?? ''
  const known = key('default')
  const [choice] = literals(/\[([\s\S]*)\]/.exec(key('choices', 'type') ?? '')?.[1] ?? '')
  const isOptional = /["'][?*]["']/.test(key('nargs') ?? '')
  return {
    name,
    isRequired: isPositional ? !isOptional && known === undefined : /^(True|TRUE|true)$/.test(key('required') ?? ''),
    isFlag:
      /^(store_(true|false|const)|count|version|help)$/.test(action) || /^(True|TRUE)$/.test(key('is_flag') ?? ''),
    value: simpleValue(known) ?? choice ?? sampleOf(key('type') ?? ''),
  }
}

/** The texts in quotes. */
function literals(code: string): string[] {
  return [...code.matchAll(/"([^"\\]*)"|'([^'\\]*)'/g)].map(([, double, single]) => double ?? single ?? '')
}

/** A number or a text as it is typed; null for anything else. */
function simpleValue(code = ''): string | null {
  if (/^-?(\d[\d_]*\.?\d*|\.\d+)(e-?\d+)?$/i.test(code)) return code.replaceAll('_', '')
  const [text] = /^(["'])[^"'\\]+\1$/.test(code) ? literals(code) : []
  return text ?? null
}

function sampleOf(type: string): string | null {
  return { int: '1', float: '0.1', integer: '1', double: '0.1', '"integer"': '1', '"double"': '0.1' }[type] ?? null
}

/**
 * Arguments with which a script can be tried: all that it requires, or else an option that shows how they are written. What has
 * no value that is known stands in capitals.
 */
export function exampleArguments({ options }: ScriptHead, added: readonly (string | null | undefined)[]): string[] {
  const own = options.filter(({ name }) => !added.some(option => option && parameterName(option) === name))
  const required = own.filter(({ isRequired }) => isRequired)
  const shown =
    required.length > 0 ? required : own.filter(({ isFlag, value }) => !isFlag && value !== null).slice(0, 1)
  return shown.flatMap(({ name, isFlag, value }) => {
    const word = value ?? name.replace(/^-+/, '').replaceAll('-', '_').toUpperCase()
    if (!name.startsWith('-')) return [word]
    return isFlag ? [name] : [name, word]
  })
}

/** The command of a shebang, by the name of its program if that is where systems have it; empty without a shebang. */
export function shebangCommand(text: string): string {
  const line = /^#!\s*(.+)/.exec(text)?.[1]?.trim() ?? ''
  const words = line === '' ? [] : splitWords(line.replace(/^(\/usr)?\/bin\/env\s+(-S\s+)?/, ''))
  return [words[0]?.replace(/^(\/usr)?(\/local)?\/bin\//, ''), ...words.slice(1)].filter(Boolean).join(' ')
}
