import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { awaits, Folder, open, shellProject, until } from '../project.js'

/** A home with a program that lists four GPUs, and who computes on them. */
function machine(): Folder {
  const home = new Folder()
  home.write(
    'bin/nvidia-smi',
    `#!/bin/sh
case $1 in
  -L) cat "$HOME/gpus" 2>/dev/null || for i in 0 1 2 3; do echo "GPU $i: NVIDIA A100 (UUID: GPU-$i)"; done ;;
  --query-compute-apps*) cat "$HOME/apps" 2>/dev/null ;;
esac
`,
    0o755,
  )
  return home
}

/** A project on that machine, whose templates deal whole GPUs, halves, or none. */
async function projectOn(home: Folder): Promise<Folder> {
  const project = await shellProject({ HOME: home.path, PATH: `${home.path}/bin:${process.env.PATH}` })
  const templates = { one: 1, two: 2, half: 0.5, none: 0 }
  const lines = Object.entries(templates).map(([name, gpus]) => `  ${name}: {resources: {gpus: ${gpus}}}\n`)
  project.write('.qanat/config.yaml', `local:\n${lines.join('')}  plain: {}\n  typed: {resources: {gpus: v100:1}}\n`)
  project.commit()
  return project
}

const run = (project: Folder, template: string, slots: number, code: string, ...more: string[]) =>
  project.qanat('run', '--submit_template', template, '--n_threads', String(slots), ...more, 'it', code)

/** The GPUs of the groups of a run, in their order. */
const gpusOf = async (project: Folder, id = 1) =>
  (JSON.parse((await project.qanat('groups', String(id), '--json')).stdout).groups as { gpus: string | null }[]).map(
    ({ gpus }) => gpus,
  )

test('a group sees the GPUs that it was dealt, which are recorded, and is refused what is not there', async () => {
  const project = await projectOn(machine())
  const see = 'echo "$CUDA_VISIBLE_DEVICES" >seen'
  const at = 'cd "$QANAT_STORAGE_PATH"'
  expect((await run(project, 'two', 1, `${at}; ${see}`)).code).toBe(0)
  expect([project.read('results/it/run_1/seen'), await gpusOf(project)]).toEqual(['GPU-0,GPU-1\n', ['GPU-0,GPU-1']])
  await run(project, 'none', 1, `${at}; echo "none: $CUDA_VISIBLE_DEVICES" >seen`)
  expect([project.read('results/it/run_2/seen'), await gpusOf(project, 2)]).toEqual(['none: \n', [null]])
  await run(project, 'plain', 1, `${at}; echo "\${CUDA_VISIBLE_DEVICES-all}" >seen`)
  expect(project.read('results/it/run_3/seen')).toBe('all\n')
  await run(project, 'one', 1, 'true', '--gpus', '2')
  expect(await gpusOf(project, 4)).toEqual(['GPU-2'])
  // What a retry deals is the same.
  await run(project, 'one', 1, 'exit 1', '--gpus', '3')
  await project.qanat('run_retry', '5')
  expect(await gpusOf(project, 5)).toEqual(['GPU-3'])
  for (const [template, more, reason] of [
    ['one', ['--gpus', '7'], 'there is no GPU 7'],
    ['plain', ['--gpus', '1'], 'deals no GPUs'],
    ['typed', [], 'GPUs of a type'],
    ['one', ['--gpus', 'x'], 'numbers of GPUs'],
  ] as const) {
    const { code, stderr } = await run(project, template, 1, 'true', ...more)
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
  }
  expect(project.list('results/it')).toHaveLength(5)
})

test('a run whose GPUs cannot be leased begins nothing, says why, and leaves nothing', async () => {
  const home = machine()
  const project = await projectOn(home)
  home.write('.local/state', 'a file')
  const { code, stderr } = await run(project, 'one', 1, 'touch "$QANAT_PROJECT/ran"')
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Error: the pool of the run did not start: the folder where GPUs are leased cannot be written: \S+\n {2}once that is mended, try again; everything is as it was\n$/,
  )
  expect([project.has('ran'), project.has('results/it/run_1')]).toEqual([false, false])
})

test('the groups of two projects at half a GPU each are never three on a device, and all run', async () => {
  const home = machine()
  const projects = [await projectOn(home), await projectOn(home)]
  const count = cases(500)
  // Each device has two places; the locks of the test are its own.
  const code = `for place in a b; do
    exec 7>>"$HOME/$CUDA_VISIBLE_DEVICES.$place"
    if flock -n 7; then sleep 0.02; exit 0; fi
  done
  exit 9`
  const ends = await Promise.all(projects.map(project => run(project, 'half', 6, code, '-R', `--n 0 ${count} 1`)))
  expect(ends.map(end => end.code)).toEqual([0, 0])
  const used = new Set([...(await gpusOf(projects[0]!)), ...(await gpusOf(projects[1]!))])
  expect([...used].every(id => /^GPU-[0-3]$/.test(id ?? ''))).toBe(true)
})

test('a lease lasts as long as a process of its group, also after its worker was killed, and no longer', async () => {
  const home = machine()
  const [first, second] = [await projectOn(home), await projectOn(home)]
  await holdFirst(first, 'held')
  const journal = first.read('results/it/run_1/.run/records/slot_0')
  const [, worker] = /worker .*"pid":(\d+)/.exec(journal)!
  process.kill(Number(worker), 'SIGKILL')
  const waiting = run(second, 'one', 1, 'true', '--gpus', '0')
  const said = async () => (await second.qanat('why', '1')).stdout
  const told = await until(said, text => /waits for a free GPU|is finished/.test(text))
  expect(told).toContain('waits for a free GPU')
  open(first, 'held')
  expect((await waiting).code).toBe(0)
  expect(await gpusOf(second)).toEqual(['GPU-0'])
})

/** Starts a group on the first GPU, which waits. */
async function holdFirst(project: Folder, gate: string): Promise<void> {
  await run(project, 'one', 1, `touch "$QANAT_PROJECT/.qanat/begun"; ${awaits(gate)}`, '--gpus', '0', '--detach')
  await until(() => project.has('.qanat/begun'))
}

test('a GPU on which others compute is left out with a warning, and a group waits while all are so', async () => {
  const home = machine()
  const project = await projectOn(home)
  home.write('apps', `GPU-0, ${process.pid}\n`)
  await run(project, 'one', 1, 'true', '--gpus', '0,1')
  expect(await gpusOf(project)).toEqual(['GPU-1'])
  const { stdout } = await project.qanat('run_show', '1')
  expect(stdout).toContain(`GPU GPU-0 is left out while process ${process.pid}`)
  const waiting = run(project, 'one', 1, 'true', '--gpus', '0')
  await until(async () => project.has('results/it/run_2/.run/warnings.txt'))
  expect((await project.show(2)).groups.pending).toBe(1)
  await until(async () => (await project.qanat('why', '2')).stdout.includes('waits for a free GPU'))
  await project.qanat('run_cancel', '2')
  expect((await waiting).stdout).toContain('cancelled')
})

test('the parts of a divided GPU are dealt, whatever their ids look like', async () => {
  const home = machine()
  const ids = [7, 8].map(number => `MIG-GPU-5d5ba0d6/${number}/0`)
  const parts = ids.map((id, at) => `  MIG 1g.5gb      Device  ${at}: (UUID: ${id})\n`).join('')
  home.write('gpus', `GPU 0: NVIDIA A100 (UUID: GPU-5d5ba0d6)\n${parts}`)
  const project = await projectOn(home)
  for (const template of ['one', 'half']) expect((await run(project, template, 2, 'true')).code).toBe(0)
  expect([await gpusOf(project, 1), await gpusOf(project, 2)]).toEqual([[ids[0]], [ids[0]]])
})
