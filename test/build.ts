import { execFileSync } from 'node:child_process'

/** Builds the program that the tests run. */
export default function build(): void {
  execFileSync(process.execPath, ['build.js'], { stdio: 'inherit' })
}
