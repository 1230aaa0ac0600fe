// Compares the program with what it must not be slower than, and prints one Markdown table:
//   npm run bench              all rows
//   npm run bench -- list      only the rows of these names
import { execFileSync, spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { clusterRows } from './clusters.js'
import { contextRows } from './contexts.js'
import { frozenRows } from './frozen.js'
import { groupRows } from './groups.js'
import { kubernetesRows } from './kubernetes.js'
import { lookRows } from './looks.js'
import { memoryRows } from './memory.js'
import { plotRows } from './plots.js'
import { repairRows } from './repair.js'
import { resultRows } from './results.js'
import { startRows } from './start.js'
import { statusRows } from './status.js'
import { viewRows } from './view.js'

const rows = [
  ...[...startRows, ...groupRows, ...statusRows, ...resultRows, ...lookRows],
  ...[...memoryRows, ...plotRows, ...viewRows, ...repairRows, ...frozenRows, ...contextRows, ...clusterRows],
  ...kubernetesRows,
]

await main(process.argv.slice(2))

async function main(names) {
  const unknown = names.filter(name => !rows.some(row => row.name === name))
  if (unknown.length > 0) {
    console.error(`no row ${unknown.join(', ')}; the rows are ${rows.map(row => row.name).join(', ')}`)
    process.exitCode = 2
    return
  }
  // With further certificates, each start of Node.js takes twice as long, which would hide what is compared.
  delete process.env.NODE_EXTRA_CA_CERTS
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  execFileSync(process.execPath, ['build.js'], { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' })
  console.log(`${machine()}\n`)
  console.log('| what | ours | reference | ratio | target |\n|---|---|---|---|---|')
  for (const row of rows.filter(({ name }) => names.length === 0 || names.includes(name))) {
    if (process.stderr.isTTY) process.stderr.write(`${row.name} …\r`)
    if (row.needs && !isThere(row.needs)) console.log(missingLine(row))
    else {
      const measured = await row.measure()
      if (measured) console.log(line(row, measured))
    }
  }
}

function machine() {
  const [{ model }] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, medians`
}

function isThere({ program, words = ['--version'] }) {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0
}

function missingLine({ what, reference, target, needs }) {
  return `| ${what} | | ${reference} is not installed: \`apt-get install ${needs.package}\` | | ${target} |`
}

function line({ what, reference, target, unit = 'ms' }, measured) {
  const ratio = unit === 'MB' ? `+ ${Math.round(measured.difference)} MB` : `${measured.ratio.toFixed(2)}×`
  const cells = [what, amount(measured.ours, unit), `${reference}: ${amount(measured.reference, unit)}`, ratio, target]
  return `| ${cells.join(' | ')} |`
}

function amount(value, unit) {
  return `${value < 10 && unit !== 'calls' ? value.toFixed(2) : Math.round(value)} ${unit}`
}
