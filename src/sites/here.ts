import { userInfo } from 'node:os'
import { startInBackground } from '../system/background.js'
import { lifeOf, thisMachine } from '../system/process-identity.js'
import { hasProgram, runProgram, runProgramInto } from '../system/programs.js'
import type { Query, Site } from './site.js'

/** The machine that this program runs on. */
export const here: Site = {
  name: 'here',
  get machine() {
    return thisMachine()
  },
  get user() {
    try {
      return userInfo().username
    } catch {
      // In a container without an entry for the user, the number is used.
      return String(process.getuid!())
    }
  },
  async visit(queries) {
    const answers = queries.map(async query => [query.key, await answerTo(query)] as const)
    return new Map(await Promise.all(answers))
  },
  run: (command, options, into) => (into ? runProgramInto(into, command, options) : runProgram(command, options)),
  hasProgram,
  start: startInBackground,
}

async function answerTo(query: Query) {
  return 'process' in query ? lifeOf(query.process) : runProgram(query.command, query.options)
}
