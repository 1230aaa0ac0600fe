import { hostname, userInfo } from 'node:os'

/** The command that makes a port of this machine reachable for whoever is here by ssh; null if nobody is. */
export function tunnelCommand(port: number): string | null {
  const connection = process.env.SSH_CONNECTION
  if (!connection) return null
  const sshPort = connection.split(' ')[3] ?? '22'
  return `ssh ${sshPort === '22' ? '' : `-p ${sshPort} `}-L ${port}:127.0.0.1:${port} ${userName()}${hostname()}`
}

/** A container may run as an unknown user. */
function userName(): string {
  try {
    return `${userInfo().username}@`
  } catch {
    return ''
  }
}
