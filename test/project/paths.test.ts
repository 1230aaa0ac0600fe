import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanProjectPath } from '../../src/project/paths.js'
import { folderWith } from './temporary.js'

/** A project in a folder that is reached by a link too, with data that are a link out of it. */
function project() {
  const top = realpathSync(folderWith({ 'real/project/experiments/run.py': '', 'scratch/iris/iris.csv': '' }))
  symlinkSync(join(top, 'real'), join(top, 'link'))
  const root = join(top, 'real/project')
  symlinkSync(join(top, 'scratch'), join(root, 'data'))
  return { top, root, sub: join(root, 'experiments'), clean: (path: string) => cleanProjectPath(root, path, root) }
}

describe('cleanProjectPath', () => {
  it.each(['experiments/run.py', 'not/there/yet', '..data', '.', ''])('keeps %j from the root as written', path => {
    expect(project().clean(path)).toBe(path)
  })

  it('makes paths relative to the root: those from a subfolder, and absolute ones inside', () => {
    const { root, sub, clean } = project()
    expect(clean('./experiments//run.py')).toBe('experiments/run.py')
    expect(clean(join(sub, 'run.py'))).toBe('experiments/run.py')
    expect(cleanProjectPath(root, 'run.py', sub)).toBe('experiments/run.py')
    expect(cleanProjectPath(root, '../data/iris', sub)).toBe('data/iris')
  })

  it('does not follow links in the project, and recognises the project by another path', () => {
    const { top, root, sub, clean } = project()
    expect(clean(join(root, 'data/iris'))).toBe('data/iris')
    expect(clean(join(top, 'link/project/data/iris'))).toBe('data/iris')
    expect(cleanProjectPath(join(top, 'link/project'), 'run.py', sub)).toBe('experiments/run.py')
  })

  it('leaves an absolute path outside, and keeps a relative one relative to the root', () => {
    const { top, root, sub, clean } = project()
    for (const path of ['/usr/bin/true', join(top, 'scratch'), `${root}-two/data`]) expect(clean(path)).toBe(path)
    mkdirSync(join(top, 'real/shared'))
    expect([clean('../shared'), cleanProjectPath(root, '../../shared', sub)]).toEqual(['../shared', '../shared'])
  })

  it('expands the home folder', () => {
    const { clean } = project()
    expect([clean('~/data'), clean('~data')]).toEqual([join(homedir(), 'data'), '~data'])
  })
})
