#!/usr/bin/env node
// Builds the sources, then runs them: for development.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

execFileSync(process.execPath, ['build.js'], { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' })
await import('./run.js')
