import { livesOf, type ProcessIdentity, thisMachine } from '../../../src/system/process-identity.js'

/** Prints on which machine it runs, and which processes live there, as JSON. */
const processes = JSON.parse(process.argv[2]!) as ProcessIdentity[]
process.stdout.write(JSON.stringify({ machine: thisMachine(), lives: livesOf(processes) }))
