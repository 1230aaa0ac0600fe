import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runtimeFolder } from '../../system/folders/runtime.js'
import { runHere, runProgram } from '../../system/programs.js'
import type { Transport } from '../far/transport.js'

/** How a machine is reached over SSH. */
export interface SshHost {
  /** What ssh takes: an alias, or `user@host`. Jump hosts, keys and ports are in the user's own configuration. */
  readonly host: string
  /** Words of the shell that knows where programs are; empty for `sh`. */
  readonly shell: readonly string[]
  /** What a person types to log in. */
  readonly login: string
}

/** How long ssh itself may take to answer about a socket, in milliseconds. */
const socketPatience = 10_000

/**
 * The socket of the connection that all commands share. A path of our own: with a jump host, the hash `%C` of ssh is another one
 * once a call has its own ProxyCommand. It has at most 90 bytes.
 */
export function socketOf({ host }: Pick<SshHost, 'host'>): string {
  return join(runtimeFolder(), createHash('sha256').update(host).digest('hex').slice(0, 16))
}

/**
 * Opens the shared connection; ssh asks for passwords and codes on the terminal itself. Call it for one connection at a time: the
 * socket of another one would be removed.
 * @param asks whether it may ask; if nobody sees the question, it would wait for ever
 * @returns whether it is open
 */
export async function openConnection(ssh: SshHost, asks: boolean): Promise<boolean> {
  const options = [
    'ControlMaster=yes',
    `ControlPath=${socketOf(ssh)}`,
    'ControlPersist=no',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    ...(asks ? [] : ['BatchMode=yes']),
  ]
  // That of a connection that was killed is in the way.
  rmSync(socketOf(ssh), { force: true })
  // Its streams would stay open as long as the connection, and whoever reads them would wait.
  // And a terminal that is closed would end the programs that are between ssh and the host, such as those of jump hosts.
  const words = ['-fNT', ...options.flatMap(option => ['-o', option]), '--', ssh.host]
  const child = spawn('sh', ['-c', 'trap "" HUP; exec ssh "$@"', 'sh', ...words], { stdio: 'ignore', cwd: '/' })
  await new Promise(resolve => child.on('close', resolve).on('error', resolve))
  return isConnected(ssh)
}

/** Whether the shared connection is open. It may be dead all the same. */
export async function isConnected(ssh: SshHost): Promise<boolean> {
  return (await control(ssh, 'check')) === 0
}

/** Closes the shared connection. @returns false if there was none */
export async function closeConnection(ssh: SshHost): Promise<boolean> {
  return (await control(ssh, 'exit')) === 0
}

async function control(ssh: SshHost, order: 'check' | 'exit'): Promise<number | null> {
  const words = ['ssh', '-O', order, '-o', `ControlPath=${socketOf(ssh)}`, '--', ssh.host]
  return (await runProgram(words, { timeout: socketPatience })).exitCode
}

/**
 * The words that run a command over the shared connection. They can never open a connection of their own: without
 * `ProxyCommand=false`, ssh logs in anew where the socket is stale.
 */
function sshWords(ssh: SshHost, command: string): string[] {
  const options = [
    'ControlMaster=no',
    `ControlPath=${socketOf(ssh)}`,
    'BatchMode=yes',
    'ProxyCommand=false',
    'LogLevel=ERROR',
  ]
  return ['ssh', '-T', ...options.flatMap(option => ['-o', option]), '--', ssh.host, command]
}

/** The command that starts the shell there, which every login shell understands. @param code in double quotes, without a single one */
function shellCommand({ shell }: SshHost, code: string): string {
  const words = shell.length > 0 ? shell : ['sh']
  return `exec ${words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')} -c '${code}'`
}

/** The shared connection as a way for scripts. */
export function overSsh(ssh: SshHost): Transport {
  return {
    host: ssh.host,
    login: ssh.login,
    unconnected: 255,
    words: async code => sshWords(ssh, shellCommand(ssh, code)),
    isConnected: () => isConnected(ssh),
  }
}

/** Runs a script that is there on the terminal of this command. @returns its exit code; 255 if there is no connection */
export async function converseOnTerminal(ssh: SshHost, file: string, ending: AbortSignal): Promise<number> {
  // Login shells of all kinds leave digits alone, and the shell behind them makes the path of them.
  const octal = Array.from(Buffer.from(file), byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  const words = sshWords(ssh, shellCommand(ssh, `exec sh "$(printf "${octal}")"`))
  return (
    await runHere(
      words.map(word => (word === '-T' ? '-t' : word)),
      { cwd: '/', ending },
    )
  ).code
}
