// Grows a project to a campaign of a million groups in a thousand runs, and measures at each power of ten what its user
// waits for and what it takes; says which limit is passed first. Linux only (/proc).
//   node bench/campaign.js          all of it, some minutes
//   node bench/campaign.js 100      up to so many runs
import { execFileSync, spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inTurn, peakMemory } from './measure.js'
import { Project, program, temporaryFolder } from './project.js'

const sizes = [1, 10, 100, 1000].filter(runs => runs <= Number(process.argv[2] ?? 1000))
const groupsOfRun = 1000
/** How many starts of a bare node a user waits for without noticing, and the memory in MB that any machine has to spare. */
const limits = { ratio: 10, megabytes: 500 }

const commands = {
  'experiment status': ['experiment', 'status', 'noop'],
  'the same with --refresh': ['experiment', 'status', 'noop', '--refresh'],
  'the same with --param --lr:0.1': ['experiment', 'status', 'noop', '--param', '--lr:0.1'],
  'runs --param 0.15, which none has': ['runs', '--param', '0.15'],
  runs: ['runs'],
  'runs --limit 20': ['runs', '--limit', '20'],
  status: ['status'],
  'run_show of the last run': ['run_show', 'noop', 'LAST'],
}

const checkout = fileURLToPath(new URL('..', import.meta.url))
execFileSync(process.execPath, ['build.js'], { cwd: checkout, stdio: 'inherit' })
const tools = temporaryFolder()
const player = await buildPlayer()
const project = new Project(['noop'])
writeFileSync(join(project.path, '.qanat/config.yaml'), 'poll_interval: 300\n')
project.git('commit', '--quiet', '--all', '--message', 'Ask rarely')
const environment = {
  ...project.environment,
  PATH: `${tools}:${process.env.PATH}`,
  NODE_PATH: `${checkout}node_modules`,
}

console.log('| groups | what | time | of a bare node | peak memory |\n|---|---|---|---|---|')
const passed = []
const ratios = Object.fromEntries(Object.keys(commands).map(what => [what, []]))
let made = 0
for (const runs of sizes) {
  const played = await run([player, project.path, tools, String(made + 1), String(runs)])
  report(runs, `playing runs ${made + 1} to ${runs}`, played)
  made = runs
  const size = statSync(join(project.path, '.qanat/database.db')).size / 2 ** 20
  console.log(`| ${runs * groupsOfRun} | database: ${size.toFixed(1)} MB | | | |`)
  for (const [what, words] of Object.entries(commands)) {
    const measured = await besideNode([program, ...words.map(word => (word === 'LAST' ? String(runs) : word))])
    report(runs, what, measured)
    ratios[what].push(measured.ratio)
    const isFirst = !passed.some(earlier => earlier.what === what)
    const isPast = measured.ratio > limits.ratio || measured.megabytes > limits.megabytes
    if (isFirst && isPast) passed.push({ what, runs })
  }
}
const words = passed.map(({ what, runs }) => `${what} (at ${runs * groupsOfRun} groups)`)
console.log(`\nPast ${limits.ratio} bare starts of node or ${limits.megabytes} MB, in this order:`)
console.log(words.join(', ') || `nothing up to ${made * groupsOfRun} groups`)
const growth = ([, figures]) => figures.at(-1) / figures[0]
const [most] = Object.entries(ratios).sort((one, other) => growth(other) - growth(one))
console.log(`What grew most: ${most[0]}, from ${most[1][0].toFixed(1)}× to ${most[1].at(-1).toFixed(1)}×`)

/** Into one file for node, as the program itself is. @returns its path */
async function buildPlayer() {
  const outfile = join(tools, 'play.cjs')
  const entryPoints = [join(checkout, 'bench/campaign/play.ts')]
  const define = { 'import.meta.dirname': '__dirname' }
  const external = ['better-sqlite3']
  await build({ entryPoints, outfile, define, bundle: true, platform: 'node', external, loader: { '.sh': 'text' } })
  return outfile
}

async function besideNode(args) {
  const peaks = []
  const ours = async () => {
    const { milliseconds, megabytes } = await run(args)
    peaks.push(megabytes)
    return milliseconds
  }
  const { ours: milliseconds, ratio } = await inTurn(3, ours, async () => (await run(['-e', '0'])).milliseconds)
  return { milliseconds, ratio, megabytes: Math.max(...peaks) }
}

/** Runs node with these arguments. @returns milliseconds and peak memory in megabytes */
async function run(args) {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: project.path,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', text => {
    complaints += text
  })
  const ended = new Promise(resolve => {
    child.on('close', code => resolve({ code, milliseconds: performance.now() - started }))
  })
  const megabytes = await peakMemory(child.pid)
  const { code, milliseconds } = await ended
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${complaints}`)
  return { milliseconds, megabytes }
}

function report(runs, what, { milliseconds, ratio, megabytes }) {
  const beside = ratio === undefined ? '' : `${ratio.toFixed(1)}×`
  const cells = [runs * groupsOfRun, what, `${Math.round(milliseconds)} ms`, beside, `${Math.round(megabytes)} MB`]
  console.log(`| ${cells.join(' | ')} |`)
}
