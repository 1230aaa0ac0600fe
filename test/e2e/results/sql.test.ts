import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madeOnce } from '../made-once.js'
import { projectWith, until } from '../project.js'

const project = madeOnce(async () => {
  const folder = await projectWith('true')
  await folder.qanat('run', 'it')
  return folder
})
const numbers = (limit = '') => `with recursive a (x) as (select 1 union all select x + 1 from a ${limit})`

test('a query that never ends is ended by Ctrl-C at once', async () => {
  const child = (await project()).start(['sql', `${numbers()} select count(*) from a`])
  // It works without a pause: the time that it has used grows far beyond that of a start.
  await until(() => ticksOf(child.pid!) > 300)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([null, 'SIGINT'])
})

test('a query whose result nobody reads on blocks no other command', async () => {
  const folder = await project()
  const child = folder.start(['sql', `${numbers('limit 300000')} select x, it.* from a, it limit 300000`, '--csv'])
  await once(child.stdout!, 'readable')
  expect(await folder.qanat('run_tag', 'it', '1', '+while')).toMatchObject({ code: 0 })
  expect(child.exitCode).toBe(null)
})

test('a query streams as many rows as there are, in little memory', async () => {
  const folder = await project()
  const note = 'require("fs").writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS))'
  folder.write('peak.cjs', `process.on('exit', () => ${note})\n`)
  const peak = async (count: number) => {
    const sql = `${numbers(`limit ${count}`)} select x, 'some text' || x as t from a`
    const environment = `NODE_OPTIONS="--require ./peak.cjs" PEAK="$PWD/peak.${count}"`
    const { stdout } = await folder.shell(`${environment} qanat sql "${sql}" --csv | tail -1`)
    expect(stdout).toBe(`${count},some text${count}\n`)
    return Number(folder.read(`peak.${count}`)) / 1024
  }
  const few = await peak(1_000)
  expect(await peak(1_000_000)).toBeLessThan(few + 80)
})

/** The time that a process has used, in hundredths of a second. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
