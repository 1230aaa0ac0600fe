import { describe, expect, test } from 'vitest'
import { plainStyle } from '../../src/views/format/style.js'
import { overviewText, startText } from '../../src/views/project.js'
import { endedRun, newRun } from './sample-run.js'

const root = '/home/ada/iris'
const experiments = ['train', 'evaluate']
const now = newRun.launched + 60_000

/** The commands that an overview suggests. */
function suggested(text: string): string[] {
  return Array.from(text.matchAll(/^ {2}(qanat.*?) {2}/gm), match => match[1]!.trim())
}

describe('the overview of a project', () => {
  const running = [`qanat experiment status ${newRun.experiment} --live`, `qanat run_wait ${newRun.id}`]
  const ended = (status: 'finished' | 'failed') => ({ experiments, live: [], last: { ...endedRun, status } })
  test.each([
    ['without an experiment', { experiments: [], live: [], last: null }, ['qanat experiment new']],
    ['without a run', { experiments, live: [], last: null }, ['qanat run train']],
    ['with live runs', { experiments, live: [newRun], last: newRun }, running],
    ['whose last run has finished', ended('finished'), ['qanat run_show 4', 'qanat compare iris']],
    ['whose last run has failed', ended('failed'), ['qanat why 4', 'qanat run_show 4']],
  ])('%s says what to type next', (_, facts, expected) => {
    const text = overviewText(plainStyle, { root, ...facts }, now)
    expect(text).toContain(`Project ${root}`)
    expect(suggested(text)).toEqual([...expected, 'qanat --help'])
  })

  test('shows five live runs at most, the newest first, and counts all', () => {
    const live = Array.from({ length: 9 }, (_, at) => ({ ...newRun, id: at + 1 }))
    const text = overviewText(plainStyle, { root, experiments, live, last: live.at(-1)! }, now)
    expect(text).toContain('9 live, as of ')
    expect(Array.from(text.matchAll(/^(\d) +iris /gm), match => match[1])).toEqual(['9', '8', '7', '6', '5'])
  })

  test('outside of a project says how to start', () => {
    expect(suggested(startText)).toEqual(['qanat init', 'qanat --help'])
  })
})
