import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../e2e/project.js'
import { openTerminal } from '../../e2e/terminal.js'
import { type Registry, startRegistry } from '../../environments/registry.js'
import { lacks, skips } from '../../skips.js'
import { kube } from './cluster.js'
import { image, noCluster, podProject, withDesk } from './project.js'

const reason = lacks('buildah', 'docker-registry')

describe.skipIf(noCluster || skips('the tests with images that are built', reason))('an image that is built', () => {
  const desk = withDesk()
  let registry: Registry
  let base: string

  beforeAll(async () => {
    registry = await startRegistry()
    base = `${registry.host}/box:1`
    const lines = 'buildah pull "docker-archive:$1" && buildah push localhost/box:1 "$2"'
    execFileSync('sh', ['-c', lines, 'sh', `${kube}/images/box.tar`, base], {
      env: { ...process.env, ...registry.environment },
      stdio: 'ignore',
    })
  })
  afterAll(() => registry.stop())

  test('is what pods run; another launch of the same run takes it as it was recorded', async () => {
    const script = `exec python3 -c 'import helper; print(helper.value)'\n`
    const it = (await podProject(desk(), script, `kubernetes: {default: {${image}}}\n`)).with(registry.environment)
    const repository = `${registry.host}/lab/it`
    const build = `{dockerfile: image/Dockerfile, repository: '${repository}'}`
    it.write('.qanat/config.yaml', `grace: 9\nkubernetes: {default: {build: ${build}}}\n`)
    it.write('image/Dockerfile', `FROM ${base}\nCOPY helper.py /opt/lab/\nENV PYTHONPATH=/opt/lab\n`)
    it.write('image/helper.py', 'value = "first"\n')
    it.commit('an image')
    const first = await it.qanat('run', '--wait', 'it')
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(`Building the image ${repository}:`)])
    expect(it.read('results/it/run_1/stdout.txt')).toBe('first\n')
    const [tag] = await registry.tags('lab/it')
    expect((await it.qanat('run_show', '1')).stdout).toContain(`${repository}:${tag}`)
    it.write('image/helper.py', 'value = "second"\n')
    it.commit('another image')
    const second = await it.qanat('run', '--wait', 'it')
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining(`Building the image ${repository}:`)])
    expect(it.read('results/it/run_2/stdout.txt')).toBe('second\n')
    const again = await it.qanat('rerun', '1', '--wait')
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('Building')])
    expect(it.read('results/it/run_3/stdout.txt')).toBe('first\n')
    const shell = openTerminal(
      { path: it.folder, environment: it.environment },
      'shell',
      '--submit_template',
      'default',
    )
    await until(shell.shown, shown => shown.includes('(qanat)'))
    shell.type(`${script.trim()}\r`)
    await shell.ended
    expect(shell.shown()).toMatch(/^second/m)
    expect(await registry.tags('lab/it')).toHaveLength(2)
  })
})
