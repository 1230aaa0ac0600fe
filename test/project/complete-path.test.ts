import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { completePath } from '../../src/project/complete-path.js'
import { folderWith } from './temporary.js'

const files = { 'data/iris/a.csv': '', 'data/iron.csv': '', '.hidden': '', 'train/it.sh': '', 'a b': '' }

describe('completePath', () => {
  it.each([
    ['', '', ['a b', 'data/', 'train/']],
    ['t', 'train/', []],
    ['train/', 'train/it.sh', []],
    ['data/ir', 'data/ir', ['iris/', 'iron.csv']],
    ['data/iri', 'data/iris/', []],
    ['./data/iro', './data/iron.csv', []],
    ['a', 'a b', []],
    ['.h', '.hidden', []],
    ['nothing', 'nothing', []],
    ['nowhere/x', 'nowhere/x', []],
    ['train/it.sh/', 'train/it.sh/', []],
  ])('of %j is %j', (typed, path, names) => {
    expect(completePath(folderWith(files), typed)).toEqual({ path, names })
  })

  it('leaves links alone that lead nowhere or in a circle', () => {
    const folder = folderWith({})
    symlinkSync('circle', join(folder, 'circle'))
    symlinkSync('gone', join(folder, 'civil'))
    expect(completePath(folder, 'c')).toEqual({ path: 'ci', names: ['circle', 'civil'] })
  })

  it('begins elsewhere for an absolute path', () => {
    const folder = folderWith(files)
    expect(completePath('/', `${folder}/tr`).path).toBe(`${folder}/train/`)
  })
})
