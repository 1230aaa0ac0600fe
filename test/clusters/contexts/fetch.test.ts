import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOfFile } from '../../../src/system/digest.js'
import { outcomeOf } from '../../e2e/program.js'
import { program, until } from '../../e2e/project.js'
import { asRoot } from '../box.js'
import { noBox } from '../project.js'
import { type ContextProject, contextProject, withLaptop } from './laptop.js'

const mega = 1024 * 1024
const size = 400 * mega

describe.skipIf(noBox)('from a laptop', () => {
  const laptop = withLaptop()

  test('a large file comes through two cuts, and nothing of it twice', async () => {
    const it = await contextProject(
      laptop(),
      `head -c ${size} /dev/urandom >"$QANAT_STORAGE_PATH/large"; echo 1 >"$QANAT_STORAGE_PATH/small"\n`,
    )
    await it.qanat('run', '--wait', '--runner', 'slurm', 'it')
    const places: string[] = []
    let before = 0
    for (const least of [50 * mega, 150 * mega]) {
      const { code, stderr } = await fetchUntil(it, least)
      expect([code, stderr]).toEqual([4, expect.stringContaining('goes on where it stopped')])
      const part = partOf(it)
      places.push(`${part.ino}`)
      expect(part.size).toBeGreaterThan(before)
      expect(part.size).toBeLessThan(size)
      before = part.size
      await it.qanat('context', 'login', 'box')
    }
    // The part grew where it was.
    expect(new Set(places).size).toBe(1)
    const { came, fetched } = await it.json<{ came: object; fetched: boolean }>('run_fetch', '1', '--json')
    expect([came, fetched]).toEqual([{ files: 1, bytes: size }, true])
    const place = 'results/it/run_1/large'
    expect(String(statSync(it.path(place)).ino)).toBe(places[0])
    expect(await digestOfFile(it.path(place))).toBe(await digestOfFile(it.outside(place)))
  })

  test('a job copies its group to a place that lasts, or ends in time, and the group is finished all the same', async () => {
    const it = await contextProject(
      laptop(),
      'echo 1 >"$QANAT_STORAGE_PATH/a"; head -c 3000000 /dev/zero >"$QANAT_STORAGE_PATH/large"\n',
      'contexts: {box: {storage: $HOME/qanat/lasting}}\nslurm: {slow: {env: {PATH: "/home/researcher/qanat/tools:/usr/bin:/bin"}}}\n',
    )
    await it.qanat('run', '--wait', '--runner', 'slurm', 'it', '-R', '--seed 0 2 1')
    rmSync(it.outside('results/it/run_1'), { recursive: true })
    const { came } = await it.json<{ came: object }>('run_fetch', '1', '--json')
    expect(came).toEqual({ files: 2, bytes: 6_000_000 })
    // A copy that takes for ever, until the job is told that its time is nearly over.
    it.writeThere('../tools/cp', '#!/bin/sh\nexec sleep 3600\n')
    chmodSync(it.outside('../tools/cp'), 0o755)
    await it.qanat('run', '--detach', '--runner', 'slurm', '--submit_template', 'slow', 'it')
    await it.when(2, run => run.status === 'finished')
    await asRoot(`until_succeeds 'pgrep -f "sleep 3600"'; scancel --signal=URG --batch -u researcher`)
    await it.qanat('run_wait', '2')
    await it.qanat('run_fetch', '2')
    const { stdout } = await it.qanat('run_show', '2')
    expect(stdout).toMatch(/Status: finished[\s\S]*could not be copied to [\s\S]*: the job was told to end meanwhile/)
    expect(statSync(it.path('results/it/run_2/large')).size).toBe(3_000_000)
  })

  test('a dataset that was sent there is read by jobs', async () => {
    const it = await contextProject(laptop(), 'cat "$4"/*\n')
    it.write('.gitignore', 'data\n')
    it.write('data/a\nb', 'text\n')
    it.write('data.yaml', 'name: data\npath: data\n')
    await it.qanat('dataset', 'new', '-f', 'data.yaml')
    it.write('it.yaml', `${readFileSync(it.path('it.yaml'), 'utf8')}datasets: [data]\n`)
    await it.commit('data')
    const refused = await it.qanat('run', '--runner', 'slurm', 'it')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('qanat dataset push data --context box'),
    ])
    expect(await it.qanat('dataset', 'push', 'data')).toMatchObject({ code: 0 })
    await it.qanat('run', '--wait', '--runner', 'slurm', 'it')
    expect(it.read('results/it/run_1/stdout.txt')).toBe('text\n')
  })
})

/** Fetches run 1, until so much of its large file has come: then all connections to the box are killed. */
async function fetchUntil(it: ContextProject, least: number) {
  const child = spawn(process.execPath, [program, 'run_fetch', '1'], {
    cwd: it.folder,
    env: it.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = outcomeOf(child)
  await until(
    () => (existsSync(it.path('results/it/run_1/.run/fetching')) ? partOf(it).size : 0),
    bytes => bytes > least || child.exitCode !== null,
  )
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    if (isMaster(it, pid)) process.kill(Number(pid), 'SIGKILL')
  return ended
}

function partOf(it: ContextProject): { readonly size: number; readonly ino: number } {
  const folder = it.path('results/it/run_1/.run/fetching')
  const [name] = readdirSync(folder).filter(each => each !== 'archive')
  return name === undefined ? { size: 0, ino: 0 } : statSync(join(folder, name))
}

function isMaster(it: ContextProject, pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.includes('-fNT') && words.some(word => word.includes(it.environment.XDG_RUNTIME_DIR!))
  } catch {
    return false
  }
}
