import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { outcomeOf } from './program.js'
import { type Folder, type Outcome, program } from './project.js'

/** Who that is where the tests run as root. */
export const ordinaryUser = { uid: 65534, gid: 65534 }

/** Runs `qanat ARGS` in a subfolder as a user whom permissions hold back, as they do not hold back root. */
export function qanatAsOrdinaryUser(folder: Folder, subfolder: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: join(folder.path, subfolder),
    env: { ...folder.environment, HOME: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(process.getuid!() === 0 && ordinaryUser),
  })
  return outcomeOf(child)
}
