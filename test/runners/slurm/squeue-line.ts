import { squeueWords } from '../../../src/runners/slurm/queue.js'

/** Columns as squeue is asked for them, with their widths. */
const columns = squeueWords([])
  .find(word => word.startsWith('--Format='))!
  .slice('--Format='.length)
  .split(',')
  .map(column => column.split(':'))
  .map(([name, width]) => [name!, Number(width)] as const)

/**
 * A line of squeue: each field has as many bytes as were asked for, and what is longer is cut; 0 is for as many as it takes.
 * @param facts fields by the names of their columns
 * @returns a character for each byte
 */
export function squeueLine(facts: Readonly<Record<string, string>>): string {
  const cells = columns.map(([name, width]) => {
    const bytes = Buffer.from(facts[name]!).toString('latin1')
    return width === 0 ? bytes : bytes.padEnd(width).slice(0, width)
  })
  return cells.join('')
}
