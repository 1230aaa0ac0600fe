import { expect, test } from 'vitest'
import { awaits, projectWith, quote, until } from '../project.js'

/** What a script does to its own folder, in which it stands; `$out` is its path. */
const ways = {
  'empties it': 'rm -rf "$out"/* "$out"/.run/*; cd /',
  'empties it, with what is hidden': 'cd /; while ! rm -rf "$out"; do :; done; mkdir "$out"; echo kept >"$out/made"',
  'removes it': 'cd /; rm -rf "$out"',
  'moves it away': 'cd /; mv "$out" "$out.away"',
  'replaces it by another': 'cd /; mv "$out" "$out.away"; mkdir "$out"',
  'replaces it by a link': 'cd /; mv "$out" "$out.away"; mkdir "$out.new"; ln -s "$out.new" "$out"',
  'removes only what is ours': 'rm -rf .run',
}

const destructive = () => projectWith('out=$QANAT_STORAGE_PATH; cd "$out"\neval "$1"\nexit "$2"\n')

test.each(Object.entries(ways))('the end of a script that %s is known', async (_, way) => {
  const folder = await destructive()
  for (const [number, code] of [0, 3].entries()) {
    const run = await folder.qanat('run', '--snapshot', 'always', 'it', way, String(code))
    expect([run.code, run.stderr]).toEqual([Math.min(code, 1), expect.not.stringContaining('Error')])
    expect(await folder.states(number + 1)).toEqual([code === 0 ? 'finished' : 'failed exit 3'])
  }
  for (const words of [['runs'], ['why', 'it', '2'], ['run_logs', 'it', '2']])
    expect((await folder.qanat(...words)).stderr).not.toContain('Error')
})

test('the ends of groups that do so are known, and one does not affect another', async () => {
  const folder = await destructive()
  await folder.qanat('run', 'it', ...Object.values(ways).flatMap(way => ['-g', `${quote(way)} 3`]))
  expect(await folder.states()).toEqual(Object.keys(ways).map(() => 'failed exit 3'))
})

test('groups of which a group has removed what they recorded are lost, and not said to have not begun', async () => {
  const folder = await destructive()
  const empties =
    'cd /; while ! rm -rf "${out%/*}"/* "${out%/*}/.run"; do :; done; touch "$QANAT_PROJECT/.qanat/gate_end"'
  const codes = [':', awaits('end'), empties, ':'].flatMap(code => ['-g', `${quote(code)} 0`])
  await folder.qanat('run', '--detach', '--n_threads', '2', 'it', ...codes)
  await until(() => folder.has('.qanat/gate_end'))
  expect((await folder.qanat('run_wait', '1')).code).toBe(1)
  expect(await folder.states()).toEqual(['lost vanished', 'finished', 'finished', 'lost vanished'])
})

test('the folder of a run that was cancelled and removed is not made again', async () => {
  const removes = `trap 'cd /; rm -rf "$QANAT_STORAGE_PATH"; exit 0' TERM; touch "$QANAT_STORAGE_PATH/begun"`
  const folder = await projectWith(`${removes}\n${awaits('never')}\n`)
  await folder.qanat('run', '--detach', 'it')
  await until(() => folder.has('results/it/run_1/begun'))
  expect((await folder.qanat('run_cancel', 'it', '1')).code).toBe(0)
  expect(await folder.states()).toEqual(['cancelled'])
  expect(folder.list('results/it')).toEqual([])
})
