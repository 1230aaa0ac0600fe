import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { worksAsInTheTree } from '../../clusters/like-tree.js'
import { LocalProject } from '../local-project.js'
import { Folder, program } from '../project.js'

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
})
