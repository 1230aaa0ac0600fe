import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { startBox, stopBox } from '../clusters/box.js'
import type { ShownRun } from '../clusters/lifecycle-project.js'
import { type ClusterProject, clusterProject } from '../clusters/project.js'
import { until } from '../e2e/project.js'
import { seed, tell } from '../faults/seed.js'
import { complaints, executionsIn, finalComplaints, type Look, type Past } from './account.js'
import { fatesOf } from './chance.js'
import { Happenings } from './happenings.js'
import { htcondor } from './htcondor.js'
import type { Form, Scheduler } from './scheduler.js'
import { slurm } from './slurm.js'

const script = readFileSync(new URL('execution.sh', import.meta.url), 'utf8')
const limited = '{default: {resources: {time: "00:01:00"}}}'
const templates = `slurm: ${limited}\nhtcondor: ${limited}\n`
/** The grace of the project, one poll, and a second for what writes and reads where nothing else is done, in milliseconds. */
const grace = 9000 + 1000 + 1000

/** A run of the weekend, and what becomes of it. */
class WeekendRun {
  readonly happenings: Happenings
  readonly looks: Look[] = []
  private id = 0

  constructor(
    private readonly project: ClusterProject,
    private readonly scheduler: Scheduler,
    private readonly form: Form,
  ) {
    this.happenings = new Happenings(scheduler, form)
  }

  async launch(): Promise<void> {
    const { name } = this.scheduler
    const count = this.form.groups[name]
    const fates = fatesOf(count).map(({ seconds, how }) => `${seconds} ${how}\n`)
    this.project.write(this.file('executions', '.keep'), '')
    this.project.write(this.file('fates'), fates.join(''))
    this.id = (await this.project.launch(name, 'it', name, '-R', `--i 0 ${count} 1`)).id
  }

  /** Whether any group lives. @param login the node that it is looked at from */
  async look(login: string): Promise<boolean> {
    this.looks.push(await this.shown(login))
    return isLive(this.looks.at(-1)!)
  }

  /** The account at the end, once all that is shown is right. What never becomes right is told. */
  async balance(): Promise<void> {
    const last = await until(
      () => this.shown('login1'),
      look => finalComplaints(look, this.past()).length === 0,
    ).catch(() => this.shown('login2'))
    expect(finalComplaints(last, this.past())).toEqual([])
    this.provesItself(last)
  }

  /** What was shown in between and was not true. */
  untrue(): string[] {
    const past = this.past()
    // Everything takes longer on a busy machine: as long as a command did.
    const longest = Math.max(...this.looks.map(({ from, to }) => to - from))
    return this.looks.flatMap(look => complaints(look, past, grace + longest))
  }

  async retry(): Promise<boolean> {
    const { groups } = await this.shown('login1')
    const unfinished = groups.filter(({ status }) => status !== 'finished').map(({ index }) => index)
    if (unfinished.length === 0) return false
    this.project.write(this.file('fates'), '1 0\n'.repeat(groups.length))
    this.happenings.launchAgain(unfinished)
    expect(await this.project.qanat('run_retry', 'it', String(this.id))).toMatchObject({ code: 0, stderr: '' })
    return true
  }

  async isLive(): Promise<boolean> {
    return isLive(await this.shown('login2'))
  }

  /** Of no group could another end have been shown. */
  private provesItself(look: Look): void {
    const past = this.past()
    const others = [
      ...[['finished', null, 0] as const, ['failed', 'exit', 3] as const, ['failed', 'signal', 137] as const],
      ...['cancelled', 'running'].map(status => [status, null, null] as const),
      ['lost', 'vanished', null] as const,
    ]
    for (const group of look.groups.filter(({ index }) => !past.deeds.has(index))) {
      for (const [status, cause, exit_code] of others) {
        if (status === group.status && cause === group.cause) continue
        const shown = { ...group, status, cause, exit_code }
        expect(finalComplaints({ ...look, groups: [shown] }, past), JSON.stringify(shown)).not.toEqual([])
      }
    }
  }

  private past(): Past {
    const { deeds, waiting, held, outages, upheavals } = this.happenings
    const executions = executionsIn(this.project.path(this.file('executions')))
    return { executions, deeds, waiting, held, outages, upheavals }
  }

  private async shown(login: string): Promise<Look> {
    const from = Date.now()
    const { group_list } = (await this.project.on(login).show(this.id)) as ShownRun
    const groups = group_list.map(({ index, status, cause, exit_code }) => ({ index, status, cause, exit_code }))
    return { from, to: Date.now(), groups }
  }

  private file(...names: string[]): string {
    return ['.qanat/weekend', this.scheduler.name, ...names].join('/')
  }
}

const isLive = ({ groups }: Look) => groups.some(({ status }) => ['pending', 'running', 'held'].includes(status))

/** A weekend of a user of both schedulers: the account has to be right at the end and, within the grace, all the time. */
export async function weekend(form: Form): Promise<void> {
  // All jobs of the box are its own. Daemons that were killed may give ids of jobs away again.
  stopBox()
  // Slurm asks a node for so long, and a minute, what became of a job that ended during an outage.
  startBox({ accounting: seed % 2 === 1, killWait: 60 })
  onTestFinished(stopBox)
  const project = await clusterProject(script, templates)
  const runs = [slurm, htcondor].map(scheduler => new WeekendRun(project, scheduler, form))
  for (const run of runs) await run.launch()
  let turn = 0
  await goOnWhile(runs, () => {
    turn++
    return Promise.all(runs.map((run, at) => run.look(`login${1 + ((turn + at) % 2)}`)))
  })
  for (const run of runs) tell(run.looks.length, `looks; ${JSON.stringify(Object.fromEntries(run.happenings.counts))}`)
  for (const run of runs) await run.balance()
  expect(runs.flatMap(run => run.untrue())).toEqual([])

  while ((await Promise.all(runs.map(run => run.retry()))).some(Boolean)) {
    await goOnWhile(runs, () => Promise.all(runs.map(run => run.isLive())))
  }
  for (const run of runs) await run.balance()
}

/** Lets happen what happens while a group lives, a look every two seconds. */
async function goOnWhile(runs: readonly WeekendRun[], live: () => Promise<boolean[]>): Promise<void> {
  for (;;) {
    const pause = setTimeout(2000)
    for (const { happenings } of runs) await happenings.goOn()
    const isOver = !(await live()).some(Boolean)
    if (isOver && runs.every(({ happenings }) => !happenings.isOpen)) return
    await pause
  }
}
