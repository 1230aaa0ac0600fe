/**
 * Mode of a file that may hold secrets, such as the variables of a template: its owner's alone. Where the umask lets the
 * group write, the project is the group's, and so is the file.
 */
export function privateMode(umask: number): number {
  return (umask & 0o020) === 0 ? 0o660 : 0o600
}
