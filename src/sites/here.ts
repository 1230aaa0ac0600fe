import { dirname, join } from 'node:path'
import { HERE } from '../domain/runs/run.js'
import { startInBackground } from '../system/background.js'
import { changeFolder } from '../system/folders/changes.js'
import { writeEntries } from '../system/folders/entries.js'
import { type Life, livesOf, thisMachine, userName } from '../system/process-identity.js'
import { hasProgram, type ProgramResult, runHere, runProgram, runProgramInto } from '../system/programs.js'
import type { Site } from './site.js'

/** The machine that this program runs on. */
export const here: Site = {
  name: HERE,
  isHere: true,
  namespace: null,
  pollInterval: null,
  patience: 60_000,
  async probe(programs = []) {
    return {
      get machine() {
        return thisMachine()
      },
      get user() {
        return userName()
      },
      variables: process.env,
      programs: new Set(programs.filter(hasProgram)),
    }
  },
  there: path => path,
  stored: () => null,
  put: async (place, entries) => writeEntries(place.here, entries),
  mutate: async (place, changes) => changeFolder(place.here, changes),
  async visit(queries) {
    const ofProcesses = queries.filter(query => 'process' in query)
    const lives = livesOf(ofProcesses.map(query => query.process))
    const ofPrograms = queries.filter(query => 'command' in query)
    const printed = await Promise.all(ofPrograms.map(({ command, options }) => runProgram(command, options)))
    return new Map<string, ProgramResult | Life>([
      ...ofProcesses.map(({ key }, at) => [key, lives[at]!] as const),
      ...ofPrograms.map(({ key }, at) => [key, printed[at]!] as const),
    ])
  },
  fetch: async () => ({ came: [], stayed: [], outside: [] }),
  push: async () => ({ sent: [] }),
  async run(command, options, kept) {
    if (!kept) return runProgram(command, options)
    const { place, before, output } = kept
    changeFolder(place.here, before.changes)
    writeEntries(place.here, before.entries)
    return runProgramInto([join(place.here, output[0]), join(place.here, output[1])], command, options)
  },
  interactive: async (file, { ending }) => (await runHere(['sh', file], { cwd: dirname(file), ending })).code,
  start: async command => startInBackground(command),
}
