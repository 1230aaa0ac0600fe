import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { runProgram } from '../../system/programs.js'
import type { SshHost } from './connection.js'

/** How long a program of OpenSSH may take that asks nobody, in milliseconds. */
const patience = 10_000

/**
 * Until when the certificates are valid that a login to a host can use, in milliseconds since 1970, the last one first: those of its
 * keys, and of the agent. Those that are valid for ever, or not yet, are left out.
 */
export async function certificateEnds({ host }: Pick<SshHost, 'host'>, now: number): Promise<number[]> {
  const { stdout } = await runProgram(['ssh', '-G', '--', host], { timeout: patience })
  const named = (key: string) =>
    stdout.split('\n').flatMap(line => (line.startsWith(`${key} `) ? [withHome(line.slice(key.length + 1))] : []))
  const files = [...named('certificatefile'), ...named('identityfile').map(file => `${file}-cert.pub`)]
  const texts = await Promise.all([
    ...[...new Set(files)].filter(file => existsSync(file)).map(file => described(['ssh-keygen', '-L', '-f', file])),
    described(['sh', '-c', 'ssh-add -L | grep cert-v01 | ssh-keygen -L -f -']),
  ])
  return validities(texts.join('\n'))
    .filter(({ from }) => from <= now)
    .map(({ to }) => to)
    .toSorted((one, other) => other - one)
}

async function described(words: readonly string[]): Promise<string> {
  return (await runProgram(words, { timeout: patience, environment: { set: { LC_ALL: 'C' } } })).stdout
}

/** The times between which certificates are valid, as `ssh-keygen -L` tells them: in local time, without a zone. */
function validities(text: string): { readonly from: number; readonly to: number }[] {
  return Array.from(text.matchAll(/^\s*Valid: from (\S+) to (\S+)$/gm), ([, from, to]) => ({
    from: new Date(from!).getTime(),
    to: new Date(to!).getTime(),
  }))
}

function withHome(path: string): string {
  return path.replace(/^~(?=\/)/, homedir())
}
