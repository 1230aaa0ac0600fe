import { renameSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { paths } from '../expectations.js'
import { Folder, projectWith, until } from '../project.js'

/** Commands of all kinds; those of datasets and experiments are the same. */
const commands = `status|run it|run --dry_run it|run_show it 1|run_logs it 1|run_wait it 1|run_cancel it 1
run_delete it 1 --yes|config show|config get logging|config set logging DEBUG|config unset logging|config edit
dataset list|dataset new -f it.yaml|dataset update it -f it.yaml|dataset delete it --yes
experiment list|experiment status it|experiment new -f it.yaml|experiment update it -f it.yaml|experiment delete it --yes`

describe('outside a project', () => {
  test('every command says so with exit code 3, and makes nothing', async () => {
    const folder = new Folder({ EDITOR: 'true' })
    folder.write('.qanat/database.db', '')
    const stderr = "Error: not a Qanat project (no .qanat here or above): run 'qanat init'\n"
    const expected = { stdout: '', stderr, code: 3 }
    for (const command of commands.split(/[|\n]/))
      expect({ command, ...(await folder.qanat(...command.split(' '))) }).toEqual({ command, ...expected })
    expect(paths(folder)).toEqual(['.qanat', '.qanat/database.db'])
  })
})

describe('a project is found', () => {
  test('from any of its subfolders, to which typed paths are relative', async () => {
    const project = await projectWith('echo "$@"')
    project.write('sub/deep/grid.yaml', 'fixed_args: {options: {--a: 1}}\n')
    project.write('sub/deep/data.yaml', 'name: data\npath: sub\n')
    project.commit()
    const here = async (...words: string[]) => {
      const { stdout, code } = await project.qanatIn('sub/deep', ...words)
      expect([words, code]).toEqual([words, 0])
      return stdout
    }
    await here('dataset', 'new', '-f', 'data.yaml')
    const run = await here('run', 'it', '-f', 'grid.yaml', '--storage_path', '../../results/mine')
    expect(run).toContain(`--a 1 --storage_path ${project.path}/results/mine\n`)
    expect(await here('run', 'it')).toContain(`--storage_path ${project.path}/results/it/run_2\n`)
    await here('config', 'set', 'poll_interval', '44')
    expect(await here('config', 'get', 'poll_interval')).toBe('44\n')
    const status = JSON.parse(await here('status', '--json'))
    const counts = { experiments: 1, datasets: 1, documents: 0, runs: { finished: 2 } }
    expect(status).toEqual({ project: project.path, ...counts, differing: [] })
    expect(project.list('sub/deep')).toEqual(['data.yaml', 'grid.yaml'])
  })

  test('from inside a frozen copy of it, and from a linked folder', async () => {
    const project = await projectWith('mkdir -p made')
    project.write('sub/x', '')
    project.commit()
    await project.qanat('run', 'it', '-R', '--seed 0 2 1')
    const [copy] = project.copies()
    const linked = new Folder()
    symlinkSync(`${project.path}/sub`, `${linked.path}/link`)
    for (const [folder, path] of [
      [project, `.qanat/cache/${copy}`],
      [project, `.qanat/cache/${copy}/sub`],
      [linked, 'link'],
    ] as const) {
      const { stdout, code } = await folder.qanatIn(path, 'status', '--json')
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({ project: project.path, runs: { finished: 1 } }),
      ])
    }
    expect(project.has(`.qanat/cache/${copy}/.qanat/database.db`)).toBe(false)
  })

  test('after it was moved, with its runs', async () => {
    const parent = new Folder()
    const project = await projectWith('echo "$@"')
    await project.qanat('run', 'it', 'hello')
    renameSync(project.path, `${parent.path}/moved here`)
    await until(async () => (await parent.qanatIn('moved here', 'status')).code === 0)
    const logs = await parent.qanatIn('moved here', 'run_logs', 'it', '1')
    expect([logs.code, logs.stdout]).toEqual([0, expect.stringContaining('hello')])
    const run = await parent.qanatIn('moved here', 'run', 'it', 'again')
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining(`/moved here/results/it/run_2\n`)])
  })
})
