import { displayCommand } from '../domain/text/shell-text.js'
import type { DemoStep } from '../operations/project/demo.js'

/** A step as it is typed, and what it does. @param at its number, from 0 */
export function demoLine({ line, does }: DemoStep, at: number, count: number): string {
  return `${at + 1}/${count}  qanat ${line.padEnd(38)}  ${does}`
}

/** What can be tried after the demo. @param program the words that start Qanat where `qanat` does not; null where it does */
export function demoEnd(folder: string, program: readonly string[] | null): string {
  return `
The project stays in ${folder}. Try there:
  ${displayCommand(['cd', folder])}${program === null ? '' : `\n  alias qanat=${displayCommand([displayCommand(program)])}`}
  qanat run_explore classify_iris     browse runs and their output
  qanat view --open                   the same in the browser
  qanat help                          commands and topics
Your own script, in its git repository:
  qanat init
  qanat experiment new train.py`
}
