// Compiles the database driver after `npm ci`. npm would do so without a word: allowScripts in package.json keeps it from that.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const folder = 'node_modules/better-sqlite3'

if (!existsSync(`${folder}/build/Release/better_sqlite3.node`)) {
  console.log('Compiling the database driver (better-sqlite3) takes about a minute …')
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'install', '--prefix', folder], { encoding: 'utf8' })
  if (status !== 0) {
    console.error(`${stdout}${stderr}`)
    console.error('Error: the database driver cannot be compiled; it needs python3, make and a C++ compiler')
    process.exitCode = 1
  }
}
