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
  return { top, root, sub: join(root, 'experiments') }
}

describe('cleanProjectPath', () => {
  it('keeps a relative path from the root as written', () => {
    const { root } = project()
    expect(cleanProjectPath(root, 'experiments/run.py', root)).toBe('experiments/run.py')
    expect(cleanProjectPath(root, './experiments//run.py', root)).toBe('experiments/run.py')
    expect(cleanProjectPath(root, 'not/there/yet', root)).toBe('not/there/yet')
    expect(cleanProjectPath(root, '..data', root)).toBe('..data')
    expect(cleanProjectPath(root, '.', root)).toBe('.')
    expect(cleanProjectPath(root, '', root)).toBe('')
  })

  it('makes paths relative to the root: those from a subfolder, and absolute ones inside', () => {
    const { root, sub } = project()
    expect(cleanProjectPath(root, 'run.py', sub)).toBe('experiments/run.py')
    expect(cleanProjectPath(root, '../data/iris', sub)).toBe('data/iris')
    expect(cleanProjectPath(root, join(sub, 'run.py'), root)).toBe('experiments/run.py')
  })

  it('does not follow links in the project, and recognises the project by another path', () => {
    const { top, root } = project()
    expect(cleanProjectPath(root, join(root, 'data/iris'), root)).toBe('data/iris')
    expect(cleanProjectPath(root, join(top, 'link/project/data/iris'), '/')).toBe('data/iris')
    expect(cleanProjectPath(join(top, 'link/project'), 'run.py', join(root, 'experiments'))).toBe('experiments/run.py')
  })

  it('leaves an absolute path outside, and keeps a relative one relative to the root', () => {
    const { top, root, sub } = project()
    expect(cleanProjectPath(root, '/usr/bin/true', root)).toBe('/usr/bin/true')
    expect(cleanProjectPath(root, join(top, 'scratch'), root)).toBe(join(top, 'scratch'))
    expect(cleanProjectPath(root, `${root}-two/data`, root)).toBe(`${root}-two/data`)
    mkdirSync(join(top, 'real/shared'))
    expect(cleanProjectPath(root, '../shared', root)).toBe('../shared')
    expect(cleanProjectPath(root, '../../shared', sub)).toBe('../shared')
  })

  it('expands the home folder', () => {
    const { root } = project()
    expect(cleanProjectPath(root, '~/data', root)).toBe(join(homedir(), 'data'))
    expect(cleanProjectPath(root, '~data', root)).toBe('~data')
  })
})
