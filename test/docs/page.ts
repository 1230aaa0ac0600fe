import { readdirSync, readFileSync } from 'node:fs'
import { marked, type Token } from 'marked'
import { type Step, stepOf } from '../sessions/session.js'

/** A piece of a page: what a session has, what Slurm does meanwhile, which readers do not see, or a screen. */
export type Piece =
  | Step
  | { readonly kind: 'slurm'; readonly raw: string; readonly states: readonly string[] }
  | { readonly kind: 'screen'; readonly raw: string; readonly command: string; readonly shown: string }

/** What stands below a comment that names a project: its commands are typed there, one after the other. */
export interface Part {
  /** `iris`, `mine`, `fake-slurm`, `folder` or `none: REASON`. */
  readonly project: string
  readonly pieces: Piece[]
}

/** The pages by hand, as paths from the root. Those of commands are generated. */
export const pages: readonly string[] = ['README.md', ...below('docs')].filter(
  path => !path.startsWith('docs/reference/commands/'),
)

function below(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`)
    .sort()
}

/** The text of a page. */
export function read(path: string): string {
  return readFileSync(path, 'utf8')
}

/**
 * The parts of a page. Its first line is a comment, `<!-- project: iris -->`; a further one begins a part in a new project.
 * `<!-- first: …` holds commands that only prepare what follows, a line each. `<!-- slurm: 0=COMPLETED 1=RUNNING -->` has
 * the tasks of the last job run and end, or stay, in these states. `<!-- screen: qanat run_explore 1 -->` says which command
 * draws what the block below it shows.
 * @throws Error where the first line names no project, or no block is below a screen
 */
export function partsOf(markdown: string): Part[] {
  const parts: Part[] = []
  let drawing: string | undefined
  for (const token of marked.lexer(markdown)) {
    const [, name, content = ''] =
      (token.type === 'html' && /^<!-- (\w+):\s*([\s\S]*?)\s*-->\s*$/.exec(token.raw)) || []
    if (name === 'project') parts.push({ project: content, pieces: [] })
    const part = parts.at(-1)
    if (part === undefined) throw new Error(`a page begins with <!-- project: … -->, not with ${token.raw}`)
    if (drawing === undefined) part.pieces.push(pieceOf(token, name, content))
    else if (token.type !== 'code') throw new Error(`there is no block right below <!-- screen: ${drawing} -->`)
    else part.pieces.push({ kind: 'screen', raw: token.raw, command: drawing, shown: token.text })
    drawing = name === 'screen' ? content : undefined
  }
  return parts
}

function pieceOf(token: Token, name: string | undefined, content: string): Piece {
  const { raw } = token
  if (name === 'slurm') return { kind: 'slurm', raw, states: content.split(/\s+/) }
  if (name !== 'first') return stepOf(token)
  const aside = { isAside: true, isInline: false, output: '', code: 0 }
  return { kind: 'console', raw, shown: content.split('\n').map(command => ({ ...aside, command })) }
}

/** The blocks of code of a page, with the line at which each begins. */
export function blocksOf(markdown: string): { readonly fence: string; readonly text: string; readonly line: number }[] {
  let line = 1
  return marked.lexer(markdown).flatMap(token => {
    const begin = line
    line += token.raw.split('\n').length - 1
    return token.type === 'code' ? [{ fence: token.lang ?? '', text: token.text as string, line: begin }] : []
  })
}
