import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import type { FaultPoint } from '../../../src/system/fault-point.js'
import { outcomeOf } from '../../e2e/program.js'
import { type Folder, type Outcome, projectWith, until } from '../../e2e/project.js'

/** A moment, with the number of the pass where that is not the first. */
export type Fault = FaultPoint | `${FaultPoint}:${number}`

/** Moments, one behind the other. */
export function moments(text: string): Fault[] {
  return text.trim().split(/\s+/) as Fault[]
}

/** The program as it can be killed at its moments, see test/faults/build.ts. */
const mortalProgram = fileURLToPath(new URL('../../../dist-faults/qanat.cjs', import.meta.url))

/**
 * Appends what it is and in which phase of the test it runs to a log, then does what the phase wants: `works`, `fails`,
 * or `waits` until there is a gate.
 */
const script = `phase=$(cat "$QANAT_PROJECT/.qanat/phase")
echo "$QANAT_RUN_ID.$QANAT_GROUP_INDEX $phase" >>"$QANAT_PROJECT/.qanat/log"
echo made >"$QANAT_STORAGE_PATH/made"
case $phase in
  fails) exit 3 ;;
  waits) while [ -d "$QANAT_PROJECT/.git" ] && [ ! -e "$QANAT_PROJECT/.qanat/gate" ]; do sleep 0.05; done ;;
esac
`

type Phase = 'works' | 'fails' | 'waits'

/** A project whose scripts do what the phase says. */
export async function projectIn(phase: Phase): Promise<Folder> {
  const folder = await projectWith(script)
  folder.write('.qanat/config.yaml', 'poll_interval: 0.05\ngrace: 0.45\nlocal: {default: {}}\nslurm: {default: {}}\n')
  folder.commit()
  enter(folder, phase)
  return folder
}

/** At once, since a group may be reading it. */
export function enter(folder: Folder, phase: Phase): void {
  folder.write('.qanat/phase.new', phase)
  renameSync(join(folder.path, '.qanat/phase.new'), join(folder.path, '.qanat/phase'))
}

/** Runs `qanat ARGS` as the program that can be killed. @param fault where it is, as {@link FaultPoint} has it */
export function runMortal(folder: Folder, fault: string | undefined, ...args: string[]): Promise<Outcome> {
  const environment = { ...folder.environment, QANAT_FAULT: fault }
  const mortal: Folder = Object.create(folder, {
    program: { value: mortalProgram },
    environment: { value: environment },
  })
  return outcomeOf(mortal.start(args))
}

/** Runs `qanat ARGS` in which somebody dies at that moment, and makes sure that it came to that. */
export async function crashes(folder: Folder, faults: readonly Fault[], ...args: string[]): Promise<Outcome> {
  const proofs = mkdtempSync(join(tmpdir(), 'qanat-faults-'))
  onTestFinished(() => rmSync(proofs, { recursive: true, force: true, maxRetries: 5 }))
  const outcome = await runMortal(folder, faults.map(fault => join(proofs, fault)).join(','), ...args)
  await until(() => faults.every(fault => existsSync(join(proofs, fault))))
  return outcome
}

/** The same for the command itself, of which nothing is left. */
export async function isKilled(folder: Folder, faults: readonly Fault[], ...args: string[]): Promise<void> {
  expect((await crashes(folder, faults, ...args)).code).toBe(null)
}

/** Runs `qanat ARGS`, which does well. */
export async function does(folder: Folder, ...args: string[]): Promise<void> {
  const { code, stderr } = await folder.qanat(...args)
  expect([args, code, stderr]).toEqual([args, 0, ''])
}

/** A run as `run_show` tells it, or a group of it. */
type Shown = Awaited<ReturnType<Folder['show']>>

/** Every run once nothing more is expected of it; each command on the way has to do well. */
export async function settled(folder: Folder): Promise<Shown[]> {
  intact(folder)
  const all = await until(
    async (): Promise<Shown[]> => {
      const { code, stdout, stderr } = await folder.qanat('experiment', 'status', 'it', '--json')
      expect([code, stderr]).toEqual([0, ''])
      return JSON.parse(stdout).runs
    },
    runs => !runs.some(({ status, halted }) => ['pending', 'running', 'held'].includes(status) && halted === null),
  )
  const shown: Shown[] = []
  for (const { id } of all.reverse()) shown.push(await folder.show(id))
  return shown
}

/** The database is whole. */
function intact(folder: Folder): void {
  const database = new Database(join(folder.path, '.qanat/database.db'))
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
}

/** How often each group was executed in each phase, as in `3.0 works`. */
export function executions(folder: Folder): Map<string, number> {
  const times = new Map<string, number>()
  if (!folder.has('.qanat/log')) return times
  for (const line of folder.read('.qanat/log').trim().split('\n')) times.set(line, (times.get(line) ?? 0) + 1)
  return times
}

/** What is said of each group is what happened: nothing ran twice, is lost though it ran, or finished though it did not. */
export function tellsTheTruth(folder: Folder, runs: readonly Shown[]): void {
  const times = executions(folder)
  expect([...times].filter(([, count]) => count > 1)).toEqual([])
  for (const { id, group_list, storage_path } of runs)
    for (const group of group_list) {
      const name = `${id}.${group.index}`
      expect([name, group.status, group.cause]).toEqual([
        name,
        ...truthOf(name, group, times, folder.has(storage_path)),
      ])
    }
}

function truthOf(name: string, { attempt, status }: Shown, times: ReadonlyMap<string, number>, isThere: boolean) {
  if (times.has(`${name} works`)) return ['finished', null]
  if (times.has(`${name} waits`)) return status === 'cancelled' ? ['cancelled', null] : ['finished', null]
  if (times.has(`${name} fails`) && attempt === 1) return ['failed', 'exit']
  // A pool that has died can be started again.
  if (status === 'cancelled' || status === 'pending') return [status, null]
  // Without its folder, a run whose pool is known to have been there may have begun.
  return ['lost', isThere ? 'never_started' : expect.stringMatching(/^(never_started|vanished)$/)]
}

/** The project goes on as if nothing had been: everything that did not finish is run again, and a new run is launched. */
export async function goesOn(folder: Folder): Promise<void> {
  enter(folder, 'works')
  folder.write('.qanat/gate', '')
  const before = await settled(folder)
  tellsTheTruth(folder, before)
  for (const { id, status, halted } of before.filter(run => run.status !== 'finished')) {
    if (halted !== null) await folder.qanat('run_wait', 'it', String(id), '--yes')
    if ((await folder.show(id)).status === 'finished') continue
    const { code, stderr, stdout } = await folder.qanat('run_retry', 'it', String(id))
    expect([id, status, code, stderr, stdout]).toEqual([id, status, 0, '', expect.stringContaining('finished')])
  }
  await does(folder, 'run', 'it', '-R', '--n 0 2 1')
  const after = await settled(folder)
  expect(after.map(({ status }) => status)).toEqual(Array(before.length + 1).fill('finished'))
  expect(after.at(-1)!.id).toBeGreaterThan(before.at(-1)?.id ?? 0)
  tellsTheTruth(folder, after)
  for (const { storage_path } of after) {
    expect(folder.list(storage_path)).toContain('info.yaml')
    // Where the command that learnt of the end was killed it says that the run lives: its records tell how it ended.
    const { status } = JSON.parse(folder.read(`${storage_path}/.run/run.yaml`))
    expect(['finished', 'running', 'pending']).toContain(status)
  }
}

/** What did not finish finishes when it is run again, and what finished is not run again. */
export async function finishesAgain(folder: Folder): Promise<void> {
  const [before] = await settled(folder)
  if (before!.status === 'finished') return
  if (before!.halted !== null) await folder.qanat('run_wait', 'it', '1', '--yes')
  if ((await folder.show()).status !== 'finished') expect((await folder.qanat('run_retry', 'it', '1')).code).toBe(0)
  const [after] = await settled(folder)
  for (const { status } of after!.group_list) expect(status).toBe('finished')
}

/** All can be deleted for good, and then nothing is left of it: no folder, no copy, no reference, nothing half-written. */
export async function leavesNothing(folder: Folder): Promise<void> {
  const { runs } = await folder.json('experiment', 'status', 'it', '--json')
  if (runs.length > 0) await does(folder, 'run_delete', 'it', ...runs.map((run: Shown) => String(run.id)), '--yes')
  await does(folder, 'cache', 'clean')
  await does(folder, 'trash', 'empty', '--yes')
  const left = {
    results: folder.has('results/it') ? folder.list('results/it') : [],
    cache: folder.copies(),
    references: folder.git('for-each-ref', 'refs/qanat'),
    worktrees: folder.git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm)?.length,
  }
  expect(left).toEqual({ results: [], cache: [], references: '', worktrees: 1 })
}
