import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { rowsOf } from './cases.js'

/**
 * The rooms of src/, and what each may import: other rooms (a path stands for one file) and packages. Only those with a `*`
 * may touch files and processes: what operations may import of `system` touches neither. `errors` is for everyone. Types may come from any room that does not import the one that
 * asks. In views, hyparquet-writer and Vega are only for render/parquet.ts and plots/engine.ts, bundles of their own.
 */
const rooms = new Map(
  rowsOf(`
    domain      |                                          | big.js
    system *    | domain                                   | execa
    sites *     | system domain                            | tar
    runfolder * | system domain                            | yaml valibot object-treeify
    code *      | sites/site system domain                 | simple-git yaml
    store *     | system domain                            | better-sqlite3
    project *   | system domain                            | yaml valibot client-zip
    views       | domain pages | chalk cli-table3 cli-progress string-width marked fast-wrap-ansi hyparquet-writer vega vega-lite
    runners     | runfolder sites/site domain system       | valibot
  operations | code runfolder domain store project runners/types sites/site system/fault-point system/signals system/processes/taken-variables |
    pages       |                                          |
    server *    | operations views domain store system     |
  cli | server operations domain store project code runfolder sites runners system views | @oclif/core @inquirer/prompts
    commands    | cli operations views                     | @oclif/core
    main        | cli commands domain system/output/whole-output |
    surface     | cli commands                             |
  `).map(([name, ...lists]) => {
    const [imports, packages] = lists.map(list => list.split(' ').filter(word => word !== ''))
    return [name!.replace(' *', ''), { imports: imports!, packages: packages!, touchesWorld: name!.endsWith('*') }]
  }),
)

/** The folders of operations, a stair: what each may import of the others, from the ground up. Files beside them are the ground. */
const stair = new Map(
  rowsOf(`
    folder       |
    environments |
    secrets      |
    registry     | folder
    outputs      | registry
    code         | registry
    data         | registry folder outputs
    refresh      | registry folder outputs code data environments secrets
    runs         | registry folder outputs data environments secrets refresh
    cells        | registry code refresh
    results      | registry folder outputs code data environments refresh runs cells
    launch       | registry folder code data environments secrets refresh runs cells results
    verify       | registry folder outputs data environments results
    crate        | registry folder outputs data environments runs
    actions      | registry folder code runs results
    project      | registry folder code secrets refresh results launch
    origins      | registry outputs code data environments actions
    documents    | registry folder outputs code data refresh runs cells results launch verify actions origins
    browse       | registry folder data runs results documents
  `).map(([name, list]) => [name!, list!.split(' ').filter(word => word !== '')]),
)

/** Modules of Node.js by which a program touches files, processes, networks, or asks which machine it is on. */
const world = /^node:(fs|child_process|net|http|https|dgram|cluster|worker_threads|readline|tty|os)(\/|$)/
/** What of them is harmless anywhere. */
const harmless: Readonly<Record<string, readonly string[]>> = { 'node:os': ['constants'] }

interface Import {
  readonly from: string
  readonly to: string
  readonly names: readonly string[]
  readonly isType: boolean
}

const src = 'src'
/** The modules, those of the pages in the browser, too, which are plain JavaScript. */
const files = (readdirSync(src, { recursive: true }) as string[]).filter(path => /(?<!\.d)\.[jt]s$/.test(path)).sort()
const imports = files.flatMap(importsOf)

function importsOf(from: string): Import[] {
  const text = readFileSync(join(src, from), 'utf8')
  const found: Import[] = []
  const add = (specifier: string, clause: string) => {
    const [, inBraces = ''] = /\{([^}]*)\}/.exec(clause) ?? []
    const names = inBraces.split(',').flatMap(name => name.trim() || [])
    const isOfTypes = names.length > 0 && !/^\w/.test(clause) && names.every(name => name.startsWith('type '))
    const isType = /^type\s/.test(clause) || isOfTypes
    // A text that is put into the bundle (`./job.sh?raw`) imports nothing itself.
    if (specifier.endsWith('?raw')) return
    const path = join(dirname(from), specifier)
    const source = files.includes(path) ? path : path.replace(/\.js$/, '.ts')
    const to = specifier.startsWith('.') ? source : specifier
    found.push({ from, to, names: names.filter(name => !name.startsWith('type ')), isType })
  }
  for (const [, clause, specifier] of text.matchAll(/^(?:import|export)\s+([^'"]*?)\s*from\s+'([^']+)'/gm))
    add(specifier!, clause!)
  for (const [, specifier] of text.matchAll(/^import\s+'([^']+)'/gm)) add(specifier!, '')
  for (const [, specifier] of text.matchAll(/\bimport\(\s*'([^']+)'/g)) add(specifier!, '')
  return found
}

function roomOf(path: string): string {
  return path.split('/')[0]!.replace(/\.ts$/, '')
}

/** Imports as a test shows those that are wrong. */
const shown = (wrong: readonly Import[]) => wrong.map(({ from, to }) => `${from} → ${to}`)

/** Rooms that a room may use, directly or through others: what is below it. */
function below(room: string): Set<string> {
  const found = new Set<string>()
  const add = (name: string) => {
    for (const lower of rooms.get(name)?.imports.map(roomOf) ?? []) {
      if (found.has(lower)) continue
      found.add(lower)
      add(lower)
    }
  }
  add(room)
  return found
}

test('imports go one way, from room to room', () => {
  const wrong = imports.filter(({ from, to, isType }) => {
    const [room, other] = [roomOf(from), roomOf(to)]
    if (!files.includes(to) || room === other || other === 'errors' || room === 'errors') return false
    if (isType) return below(other).has(room)
    return !rooms.get(room)!.imports.some(allowed => to === `${allowed}.ts` || other === allowed)
  })
  expect(shown(wrong)).toEqual([])
})

test('imports among the folders of operations go down the stair, types too', () => {
  const folderOf = (path: string) => /^operations\/(?:([^/]+)\/)?/.exec(path)?.[1] ?? 'the ground'
  const wrong = imports.filter(({ from, to }) => {
    const [folder, other] = [folderOf(from), folderOf(to)]
    if (![from, to].every(path => path.startsWith('operations/')) || folder === other || other === 'the ground')
      return false
    return !stair.get(folder)?.includes(other)
  })
  expect(shown(wrong)).toEqual([])
  const folders = [...stair.keys()]
  expect(folders.filter((name, at) => !stair.get(name)!.every(other => folders.indexOf(other) < at))).toEqual([])
})

test('every package is used only in the rooms that may use it', () => {
  const wrong = imports.filter(({ from, to, isType }) => {
    if (files.includes(to) || to.startsWith('node:') || isType) return false
    const [name] = /^(@[^/]+\/)?[^/]+/.exec(to)!
    return !rooms.get(roomOf(from))?.packages.includes(name)
  })
  expect(shown(wrong)).toEqual([])
})

test('files and processes are accessed only in the rooms that may do so', () => {
  const wrong = imports.filter(({ from, to, names, isType }) => {
    if (isType || !world.test(to) || rooms.get(roomOf(from))?.touchesWorld) return false
    return names.length === 0 || !names.every(name => harmless[to]?.includes(name))
  })
  expect(shown(wrong)).toEqual([])
})

test('variables of this machine are read only by what concerns this machine', () => {
  const about = ['main.ts', 'cli', 'commands', 'server', 'views', 'system', 'project', 'sites/here.ts']
  // The git that this program starts, and the configuration of that git.
  const git = ['code/git.ts', 'code/tree-state.ts']
  const wrong = files.filter(
    file =>
      /\bprocess\.env\b/.test(readFileSync(join(src, file), 'utf8')) &&
      ![...about, ...git].some(allowed => file === allowed || file.startsWith(`${allowed}/`)),
  )
  expect(wrong).toEqual([])
})

test('no file imports itself through others, types too', () => {
  const graph = new Map(files.map(file => [file, imports.filter(({ from }) => from === file)]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
    if (done.has(file) || trail.includes(file)) return
    for (const { to } of graph.get(file) ?? []) visit(to, [...trail, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

test('no file is over 300 lines, and no folder has more than sixteen files side by side', () => {
  const long = files.filter(file => readFileSync(join(src, file), 'utf8').split('\n').length > 301)
  const folders = [...new Set(files.map(file => dirname(file)))]
  const crowded = folders.filter(folder => files.filter(file => dirname(file) === folder).length > 16)
  expect([long, crowded]).toEqual([[], []])
})
