import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { couriers } from './cluster.js'
import { type Desk, image, noCluster, podProject, script, withDesk } from './project.js'

/** A kubectl that notes how it is called, in front of the other one. @returns the words of the calls since the last question */
function withNotes(desk: Desk): { readonly path: string; calls(): string[] } {
  const [folder, log] = [join(desk.home, 'bin'), join(desk.home, 'calls')]
  mkdirSync(folder)
  const { PATH } = desk.environment
  writeFileSync(
    join(folder, 'kubectl'),
    `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\nPATH='${PATH}' exec kubectl "$@"\n`,
  )
  chmodSync(join(folder, 'kubectl'), 0o755)
  return {
    path: `${folder}:${PATH}`,
    calls() {
      const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
      writeFileSync(log, '')
      return lines
    },
  }
}

describe.skipIf(noCluster)('polls of a cluster', () => {
  const desk = withDesk()

  test('while pods wait, a poll is one call of kubectl for all runs, and lists make it once in an interval', async () => {
    const file = join(desk().home, 'qanat/contexts.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('poll_interval: 1\n', 'poll_interval: 600\n'))
    const template = `${image}, pod: {nodeSelector: {disk: none}}`
    const made = await podProject(desk(), script, `kubernetes: {default: {${template}}}\n`)
    const { path, calls } = withNotes(desk())
    const it = made.with({ PATH: path })
    for (const pods of ['1', '6'])
      await it.launch('kubernetes', '--n_threads', pods, 'it', 'true', '-R', '--seed 0 8 1')
    calls()
    const before = couriers()
    await it.qanat('runs', '--refresh')
    expect(calls()).toEqual([
      expect.stringMatching(/^--namespace lab get jobs,pods -l qanat-run in \([\w-]+,[\w-]+\) -o json$/),
    ])
    for (const words of [['runs'], ['groups', '1'], ['run_show', '2']]) await it.qanat(...words)
    expect(calls()).toEqual([])
    expect(before).toEqual(expect.arrayContaining(couriers()))
    for (const run of ['1', '2']) expect((await it.qanat('run_cancel', run)).code).toBe(0)
  })
})
