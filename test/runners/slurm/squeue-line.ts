import { squeueWords } from '../../../src/runners/slurm/queue.js'

/** Columns as squeue is asked for them, for a run with this name of its jobs. */
function columnsFor(jobName: string): [string, number][] {
  const format = squeueWords([{ id: '36', jobName, token: '' }]).find(word => word.startsWith('--Format='))!
  return format
    .slice('--Format='.length)
    .split(',')
    .map(column => column.split(':'))
    .map(([name, width]) => [name!, Number(width)])
}

/**
 * Writes lines of squeue: each field has as many bytes as were asked for, what is longer is cut.
 * @param jobName name of the jobs that were asked for
 * @returns a function of the fields by the names of their columns; it returns a character for each byte
 */
export function squeueLines(jobName: string): (facts: Readonly<Record<string, string>>) => string {
  const columns = columnsFor(jobName)
  const bytesOf = (text: string) => Buffer.from(text).toString('latin1')
  return facts => columns.map(([name, width]) => bytesOf(facts[name]!).padEnd(width).slice(0, width)).join('')
}
