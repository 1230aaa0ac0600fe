import { expect, test } from 'vitest'
import { projectWith } from '../project.js'

const numbers = [1, 2, 3, 4, 5, 6]

test.each([
  ['settings', 'config set slurm.t%.resources.cpus %', '.qanat/config.yaml', 't%:'],
  ['paragraphs of a comment', 'run_comment 1 -m said-%', 'results/it/run_1/comment.md', 'said-%\n'],
  ['tags of a run', 'run_tag 1 +tag-%', 'results/it/run_1/.run/run.yaml', 'tag-%'],
])('%s that several commands add at once are all kept', async (_, line, file, text) => {
  const folder = await projectWith('true')
  await folder.qanat('run', 'it')
  const outcomes = await Promise.all(
    numbers.map(number => folder.qanat(...line.replaceAll('%', String(number)).split(' '))),
  )
  expect(outcomes.map(({ code }) => code)).toEqual(numbers.map(() => 0))
  for (const number of numbers) expect(folder.read(file)).toContain(text.replace('%', String(number)))
})
