import { describe, expect, test } from 'vitest'
import { clashes, type Dependency, documentCycle, exportFolder } from '../../src/domain/documents/document.js'

function dependency(experiment: string, runArgsFile: string | null): Dependency {
  const runnerParameters = {}
  const lists = { actionArguments: [], products: [], files: ['a'] }
  const rest = { runner: 'local', container: null, commitSha: null, action: null, runnerParameters, ...lists }
  return { experiment, runArgsFile, ...rest }
}

describe('the files of a dependency', () => {
  test.each([
    [null, 'exports/train'],
    ['grid.yaml', 'exports/train/grid'],
    ['arguments/lr.0.1.yml', 'exports/train/lr.0.1'],
    ['.hidden', 'exports/train/.hidden'],
  ])('with the arguments %s are in %s', (file, folder) => {
    expect(exportFolder(dependency('train', file))).toBe(folder)
  })

  test('have a folder of their own', () => {
    const dependencies = [dependency('a', 'x/grid.yaml'), dependency('b', 'grid.yaml'), dependency('a', 'y/grid.yml')]
    expect(clashes(dependencies)).toEqual([dependencies[2]])
  })
})

describe('documents that need each other', () => {
  const documents = [
    { name: 'report', exports: '/p/report/exports', experiments: ['one'] },
    { name: 'appendix', exports: '/p/appendix/exports', experiments: ['two', 'free'] },
  ]
  const reading = (datasets: Record<string, string[]>) => ({
    documents,
    datasetsOf: (name: string) => datasets[name] ?? [],
  })

  test('in a circle are reported', () => {
    const circle = reading({ one: ['/p/appendix/exports/two'], two: ['/p/report/exports'] })
    expect(documentCycle(circle)).toEqual(['report', 'appendix', 'report'])
    expect(documentCycle(reading({ one: ['/p/report/exports/one'] }))).toEqual(['report', 'report'])
  })

  test('one after the other are not reported', () => {
    expect(documentCycle(reading({ one: ['/p/appendix/exports/two'], two: ['/p/data'] }))).toBeNull()
    expect(documentCycle(reading({ one: ['/p/report/exports_of_others'] }))).toBeNull()
  })
})
