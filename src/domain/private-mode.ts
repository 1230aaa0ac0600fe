/**
 * Mode of a file that may hold secrets, such as arguments: only for its owner. If the umask lets the group write, the project
 * is shared with the group, and the file is readable by the group, too.
 */
export function privateMode(umask: number): number {
  return (umask & 0o020) === 0 ? 0o660 : 0o600
}
