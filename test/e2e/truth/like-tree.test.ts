import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { worksAsInTheTree } from '../../clusters/like-tree.js'
import { LocalProject } from '../local-project.js'
import { Folder, groups, program, shellProject } from '../project.js'

describe('what works in the tree works in frozen copies', () => {
  test.each([
    ['a grid', '.', []],
    ['a grid', 'sub', []],
    ['a detached grid', '.', ['--detach']],
    ['a detached grid', 'sub', ['--detach']],
  ])('of %s on this machine, the project being %s in its repository', async (_, path, options) => {
    const folder = new Folder()
    const make = (place: string) => {
      mkdirSync(join(folder.path, place), { recursive: true })
      return new LocalProject(join(folder.path, place), program, folder.environment)
    }
    await worksAsInTheTree(make, path, options)
  })

  test('whatever else lies above the repository', async () => {
    const parent = new Folder()
    const base = await shellProject()
    const commit = base.git('rev-parse', 'HEAD').slice(0, 12)
    const study = join(parent.path, 'study')
    renameSync(base.path, study)
    for (let at = 0; at < 10_000; at++) mkdirSync(join(parent.path, `many_${at}`))
    mkdirSync(join(parent.path, 'closed'), { mode: 0 })
    const odd = ['-v', 'new\nline', '.hidden', '202401011200_data', commit, 'digests.json']
    for (const name of odd) parent.write(`${name}/x`, `${name}\n`)
    for (const [name, target] of Object.entries({ link: '.hidden', broken: 'nowhere', loop: 'loop' }))
      symlinkSync(target, join(parent.path, name))
    const before = parent.list('.')
    const run = (...codes: string[]) => parent.qanatIn('study', 'run', 'it', ...groups(...codes))
    const reads = 'cat ../-v/x ../new*/x ../link/x ../202401011200_data/x; ls ..'
    const removes = `rm -r '${parent.path}/many_7'; [ ! -e ../many_7 ] && ls -d ../broken ../loop ../closed`
    expect(await run(reads, removes)).toMatchObject({ code: 0, stderr: '' })
    const shown = parent.read('study/results/it/run_1/group_0/stdout.txt')
    expect(shown).toMatch(/^-v\nnew\nline\n\.hidden\n202401011200_data\n/)
    const linked = new Set(shown.split('\n'))
    const unlinked = before.filter(name => !/^(\.|study$|digests\.json$)|\n/.test(name) && !linked.has(name))
    expect(unlinked).toEqual([])
    expect((await run('[ ! -e ../many_7 ]', 'true')).code).toBe(0)
    expect((await parent.qanatIn('study', 'cache', 'clean')).stdout).toContain(`Removed ${commit}`)
    expect(parent.list('.')).toEqual(before.filter(name => name !== 'many_7'))
    // The copy itself has this name.
    const { stderr } = await parent.qanatIn('study', 'run', 'it', 'cat "$2"', '-g', `../${commit}/x`, '-g', '../link/x')
    expect(stderr).toContain(`../${commit}/x → ${parent.path}/${commit}/x\n`)
  })
})
