import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SlotJournals } from '../../src/runfolder/evidence/slot-journals.js'
import { someOf } from '../cases.js'
import { moreLocalShells } from '../domain/text/shells.js'
import { until } from '../e2e/project.js'
import { folderWith } from '../project/temporary.js'
import { notes, tells } from './run-folder.js'
import { ran, Worker } from './worker.js'

/** As many groups, each with its number as an argument. */
const numbered = (count: number) => Array.from({ length: count }, (_, index) => [String(index)])

describe.each(moreLocalShells)('a pool, run by %s', shell => {
  test('starts no group after it was told to end', async () => {
    const go = folderWith()
    const script = `${tells('group')}while [ ! -e '${go}/on' ]; do sleep 0.01; done`
    const worker = new Worker(shell, { script, groups: [[], [], []] })
    await worker.begin('group')
    expect(await worker.stop()).toBe(0)
    expect(worker.endOf(0)).toMatchObject({ outcome: 'stopped' })
    expect([1, 2].map(index => worker.read(`group_${index}/stdout.txt`))).toEqual([null, null])
    mkdirSync(join(go, 'on'))
  })

  test('runs each of many groups once, in several slots and beside other pools of the run', async () => {
    const worker = new Worker(shell, { script: 'echo "ran $1"', groups: numbered(100), slots: 3 })
    const others = [1, 2].map(() => new Worker(shell, worker.plan))
    expect(await Promise.all([worker, ...others].map(each => each.runAll()))).toEqual([0, 0, 0])
    for (const [index] of worker.ends().entries()) {
      expect(worker.read(`group_${index}/stdout.txt`)).toBe(`ran ${index}\n`)
      expect(worker.endOf(index)).toMatchObject({ code: 0, outcome: 'exit' })
    }
    expect(worker.log()).toBe('')
  })

  test('ends with code 0, however its groups ended, and whoever ran them', async () => {
    const worker = await ran(shell, { script: 'exit 3' })
    expect(worker.endOf()).toMatchObject({ code: 3 })
    expect(await new Worker(shell, worker.plan).runAll()).toBe(0)
    expect(worker.read('stdout.txt')).toBe('')
  })

  test('reads a plan of any length, with lines of any length', async () => {
    const long = 'x'.repeat(100_000)
    const groups = [...numbered(80).map(([each]) => [each!.repeat(1_000)]), [long], ['ü'], [long], ['last']]
    const worker = await ran(shell, { script: 'printf %s "$1" | cksum', groups, slots: 2 })
    const printed = worker.ends().map((_, index) => worker.read(`group_${index}/stdout.txt`))
    expect(printed[80]).toBe(printed[82])
    expect(new Set(printed).size).toBe(groups.length - 1)
  })

  test('goes on after the death of a worker, and leaves no group out that this had not begun', async () => {
    const worker = new Worker(shell, { script: `[ "$1" != 0 ] || { ${tells('group')}sleep 60; }`, groups: numbered(5) })
    await worker.begin('group')
    process.kill(worker.workers()[0]!.pid, 'SIGKILL')
    await until(() => worker.ends().filter(Boolean).length === 4)
    expect(worker.ends().map(end => end?.code)).toEqual([undefined, 0, 0, 0, 0])
  })

  test.each([
    ['folders', 'rm -r "$run"/*', 6],
    ['folders and records', 'while ! rm -rf "$run"/* "$run/.run"; do :; done', 4],
  ])('runs no group twice after one has removed the %s of all', async (_, removes, count) => {
    const waitsFor = (file: string) => `while [ ! -e "$QANAT_PROJECT/${file}" ]; do sleep 0.01; done`
    // Group 1 has begun before its folder goes, also where the other slot is slower.
    const script = `${notes('$1')}run=\${QANAT_STORAGE_PATH%/*}
      case $1 in
        1) touch "$QANAT_PROJECT/begun"; ${waitsFor('go')} ;;
        3) ${waitsFor('begun')}; ${removes}; touch "$QANAT_PROJECT/go" ;;
      esac`
    const worker = await ran(shell, { script, groups: numbered(6), slots: 2 })
    expect(worker.order().sort()).toEqual(numbered(count).flat())
    expect([1, 3].map(index => worker.endOf(index)?.code)).toEqual([0, 0])
  })

  test('lets groups end and starts no other while it has no slots, and goes on in as many as it has then', async () => {
    const go = folderWith()
    const script = `${notes('$1')}while [ ! -e '${go}/'"$1" ]; do sleep 0.01; done`
    const worker = new Worker(shell, { script, groups: numbered(7), slots: 2 })
    const letEnd = (...groups: number[]) => {
      for (const group of groups) mkdirSync(join(go, String(group)))
    }
    const noted = (slot: number) => worker.read(`.run/pool/slot_${slot}`)?.trim()
    worker.start()
    await until(() => worker.order().length === 2)
    worker.setSlots(0)
    letEnd(0, 1)
    await until(() => noted(0) === 'rests' && noted(1) === 'rests')
    expect(worker.ends().filter(Boolean)).toHaveLength(2)
    worker.setSlots(3)
    await until(() => worker.order().length === 5)
    expect(worker.ends().filter(Boolean)).toHaveLength(2)
    worker.setSlots(1)
    letEnd(2, 3, 4)
    await until(() => [0, 1, 2].filter(slot => noted(slot) === 'rests').length === 2 && worker.order().length === 6)
    expect(worker.ends().filter(Boolean)).toHaveLength(5)
    letEnd(5, 6)
    expect(await worker.shell.end()).toBe(0)
    expect(worker.order().sort()).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  })

  test('without slots it ends when it is told to', async () => {
    const worker = new Worker(shell, { script: tells('group'), groups: numbered(3) })
    mkdirSync(worker.path('.run/pool'))
    worker.setSlots(0)
    worker.start()
    await until(() => worker.read('.run/pool/slot_0')?.trim() === 'rests')
    expect(await worker.stop()).toBe(0)
    expect(worker.notBegun()).toEqual([0, 1, 2])
  })
})

/**
 * Variables with which a shell of a pool kills itself, or others, before its command of that number, counted in each process: the first
 * worker that gets so far, or the keeper.
 */
function diesAt(step: number, who: 'worker' | 'keeper', whom = '"$BASHPID"') {
  const folder = folderWith({
    env: `set -T
step() {
  [ "$BASHPID" = "$mine" ] || mine=$BASHPID count=0
  count=$((count + 1))
  [ "$count" = ${step} ] && [ "$BASHPID" ${who === 'worker' ? '!=' : '='} $$ ] || return 0
  mkdir "$BASH_ENV.died" 2>/dev/null && kill -KILL ${whom}
}
trap step DEBUG
`,
  })
  return { variables: { BASH_ENV: join(folder, 'env') }, hasDied: () => existsSync(join(folder, 'env.died')) }
}

/** Whether a process has a value in its environment. */
function isKnownToAny(value: string): boolean {
  return spawnSync('sh', ['-c', 'grep -qsF "$1" /proc/[0-9]*/environ', 'sh', value]).status === 0
}

describe('after kill -9 before any command of', () => {
  const steps = someOf(Array.from({ length: 120 }, (_, step) => step + 1))

  test.each(steps)('a worker, here the %ith, each group runs once', async step => {
    const { variables, hasDied } = diesAt(step, 'worker')
    const worker = await ran('bash', { script: 'echo "ran $1"', groups: numbered(4), slots: 2, variables })
    const started = new SlotJournals(worker.plan.place.here, null).readOn().starts.map(({ index }) => index)
    for (const [index, end] of worker.ends().entries()) {
      const printed = worker.read(`group_${index}/stdout.txt`)
      // Nobody knows how a group has ended whose worker was killed while it ran.
      if (end === undefined) expect(started).toContain(index)
      else expect([end.code, printed]).toEqual([0, `ran ${index}\n`])
    }
    expect(worker.ends().filter(end => end === undefined).length).toBeLessThanOrEqual(hasDied() ? 1 : 0)
  })

  test.each(steps)(
    'a worker and all others, here the %ith, a pool that goes on runs what had not begun',
    async step => {
      const { variables } = diesAt(step, 'worker', '0')
      const plan = { script: 'echo "ran $1"', groups: numbered(4), slots: 2 }
      const killed = await ran('bash', { ...plan, variables })
      const waiting = killed.notBegun()
      const worker = killed.goOn('bash')
      expect(await worker.runAll()).toBe(0)
      for (const index of waiting) expect(worker.endOf(index)).toMatchObject({ code: 0 })
      expect(worker.notBegun()).toEqual([])
      for (const index of [0, 1, 2, 3])
        expect(worker.read(`group_${index}/stdout.txt`)).toMatch(
          waiting.includes(index) ? /^ran \d\n$/ : /^(ran \d\n)?$/,
        )
    },
  )

  test.each(steps)(
    'the keeper, here the %ith, no group runs twice, and all of them run if a worker lives',
    async step => {
      const { variables } = diesAt(step, 'keeper')
      const worker = new Worker('bash', { script: 'echo "ran $1"', groups: numbered(4), slots: 2, variables })
      await worker.runAll()
      await until(() => !isKnownToAny(variables.BASH_ENV))
      const printed = worker.ends().map((_, index) => worker.read(`group_${index}/stdout.txt`))
      const all = [0, 1, 2, 3].map(index => `ran ${index}\n`)
      expect(printed).toEqual(worker.workers().length > 0 ? all : [null, null, null, null])
    },
  )
})
