import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import { kube, kubectl, objects } from './cluster.js'
import { image, noCluster, podProject, withDesk } from './project.js'

const value = "k3y'of the cluster é☃"

/** Whether files of this machine hold the value. */
function filesWithValue(...folders: string[]): string {
  return execFileSync('sh', ['-c', 'grep -rlF "k3y\'of the" "$@" || true', 'sh', ...folders], { encoding: 'utf8' })
}

describe.skipIf(noCluster).each([
  ['volume', 'scratch'],
  ['log', null],
] as const)('the value of a secret, with results: %s', (results, claim) => {
  const desk = withDesk(claim, results)
  const settings = `kubernetes: {default: {${image}, secrets: [WANDB_API_KEY]}}\n`

  test('reaches a group as an object that its jobs own, and nothing else keeps it', async () => {
    const script = 'printf %s "$WANDB_API_KEY" | sha256sum; while [ ! -e /tmp/goes_on ]; do sleep 0.2; done\n'
    const it = (await podProject(desk(), script, settings)).with({ WANDB_API_KEY: value })
    await it.launch('kubernetes', 'it')
    await it.whenStatus(1, 'running')
    const [secret] = objects('secrets', '-l', 'qanat-run')
    expect(kubectl('get', secret!, '-o', 'jsonpath={.metadata.ownerReferences[*].kind}')).toBe('Job')
    expect(kubectl('get', 'jobs,pods,configmaps', '-o', 'json')).not.toContain('k3y')
    expect(filesWithValue(it.folder, desk().home, `${kube}/volumes`)).toBe('')
    for (const pod of objects('pods', '-l', 'qanat-run')) kubectl('exec', pod, '--', 'touch', '/tmp/goes_on')
    await it.whenStatus(1, 'finished')
    const { stdout } = await it.with({ VALUE: value }).command('sh', '-c', 'printf %s "$VALUE" | sha256sum')
    expect(it.read('results/it/run_1/stdout.txt')).toBe(stdout)
    await until(() => objects('secrets', '-l', 'qanat-run').length === 0)
  })

  test('that a launch has taken along runs nothing: a retry reads it again', async () => {
    const it = (await podProject(desk(), 'printf %s "$WANDB_API_KEY" | wc -c\n', settings)).with({
      WANDB_API_KEY: 'four',
    })
    expect((await it.killedAt('submission-end', 'run', '--detach', 'it')).code).toBe(null)
    await it.whenStatus(1, 'lost')
    await it.qanat('run_retry', '1', '--wait')
    expect([(await it.show(1)).status, it.read('results/it/run_1/stdout.txt').trim()]).toEqual(['finished', '4'])
  })
})
