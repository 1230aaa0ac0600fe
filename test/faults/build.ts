import { execFileSync } from 'node:child_process'

/** Builds the program that can be killed at the moments of src/system/fault-point.ts, into dist-faults/. */
export default function build(): void {
  execFileSync(process.execPath, ['build.js', '--faults'], { stdio: 'inherit' })
}
