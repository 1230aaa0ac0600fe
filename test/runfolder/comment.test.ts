import { expect, test } from 'vitest'
import { appendComment, commentIn, provideComment } from '../../src/runfolder/comment.js'
import { folderWith } from '../project/temporary.js'

test('a comment grows by paragraphs', () => {
  const folder = folderWith()
  expect(commentIn(folder)).toBeNull()
  appendComment(folder, 'too few steps\n\n')
  appendComment(folder, 'again')
  expect(commentIn(folder)).toBe('too few steps\n\nagain\n')
})

test('a new comment has a head, and an existing one is not changed', () => {
  const folder = folderWith()
  expect(provideComment(folder, '# Run 1 of it\n\n')).toBe(`${folder}/comment.md`)
  provideComment(folder, 'Another head')
  expect(commentIn(folder)).toBe('# Run 1 of it\n\n')
})
