import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobHandle } from '../../src/runners/types.js'
import { squeueLine } from '../../test/runners/slurm/squeue-line.js'

/** In milliseconds. */
export const hour = 3_600_000

interface Task {
  started: number | null
  ended: number | null
  state: 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'OUT_OF_MEMORY' | 'TIMEOUT'
}

/** A job array that has been submitted. */
export class PlayedArray {
  private readonly tasks: Task[]
  private age = 0

  constructor(readonly handle: JobHandle) {
    this.tasks = Array.from({ length: handle.count }, () => ({ started: null, ended: null, state: 'PENDING' }))
  }

  /** An hour passes: half of what waits begins, most of what runs ends, and in the fourth hour all of it. */
  pass(now: number): void {
    this.age++
    for (const task of this.tasks) {
      if (task.state === 'PENDING' && (this.age > 2 || Math.random() < 0.5)) {
        task.state = 'RUNNING'
        task.started = now - Math.floor(hour * Math.random())
      } else if (task.state === 'RUNNING' && (this.age > 3 || Math.random() < 0.7)) {
        task.state = endOf(Math.random())
        task.ended = now - Math.floor((now - task.started!) * Math.random())
      }
    }
  }

  /** What the records of the jobs say of those that run: they are left in the run's folder. */
  leaveRecords(): void {
    const folder = join(this.handle.place.here, '.run/records')
    mkdirSync(folder, { recursive: true })
    for (const [index, { state, started }] of this.tasks.entries()) {
      if (state !== 'RUNNING') continue
      const job = `${this.handle.id}_${index}`
      writeFileSync(join(folder, String(index)), `1 job ${job}\n1 start ${index} 1 99 ${started! / 1000} n1 ${job} 0\n`)
    }
  }

  queue(): string[] {
    const { id, jobName, token } = this.handle
    return this.tasks.flatMap(({ state, started, ended }, index) => {
      if (state !== 'PENDING' && state !== 'RUNNING') return []
      return squeueLine({
        ...{ JobArrayID: `${id}_${index}`, State: state, RestartCnt: '0', Name: jobName, Comment: token },
        ...{ StartTime: slurmTime(started), EndTime: slurmTime(ended), exit_code: '0:0' },
        ...{ NodeList: 'n1', Reason: 'None' },
      })
    })
  }

  accounting(): string[] {
    return this.tasks.flatMap(({ state, started, ended }, index) => {
      if (ended === null) return []
      const { id, jobName, token, data } = this.handle
      const code = state === 'FAILED' ? '1:0' : '0:0'
      const times = [Number(data.submitted), started, ended].map(slurmTime)
      const rest = ['0', 'None', 'n1', '10', '00:01.000', '', '', token]
      return [`${id}_${index}`, jobName, state, code, ...times, ...rest].join('|')
    })
  }
}

function endOf(chance: number): Task['state'] {
  if (chance < 0.95) return 'COMPLETED'
  return chance < 0.98 ? 'FAILED' : chance < 0.99 ? 'OUT_OF_MEMORY' : 'TIMEOUT'
}

function slurmTime(time: number | null): string {
  return time === null ? 'Unknown' : new Date(time).toISOString().slice(0, 19)
}

/** Puts programs into a folder that print what the queue and the accounting of these arrays say. */
export function answer(folder: string, arrays: readonly PlayedArray[]): void {
  mkdirSync(folder, { recursive: true })
  const answers = {
    squeue: arrays.flatMap(array => array.queue()),
    sacct: arrays.flatMap(array => array.accounting()),
    scontrol: ['ClusterName = played', 'MaxArraySize = 1001'],
  }
  for (const [program, lines] of Object.entries(answers)) {
    const path = join(folder, program)
    writeFileSync(`${path}.new`, `#!/bin/sh\ncat ${path}.txt\n`, { mode: 0o755 })
    renameSync(`${path}.new`, path)
    writeFileSync(`${path}.txt`, lines.map(line => `${line}\n`).join(''))
  }
}
