import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { lacks, skips } from '../../skips.js'
import { projectWith, until } from '../project.js'

const image = 'localhost/qanat-test:latest'
const folder = mkdtempSync(join(tmpdir(), 'qanat-podman-'))
/** A runtime and limits that work inside other containers, too. */
const limits = 'default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]'
const settings = `[engine]\nruntime = "runc"\n[containers]\n${limits}\n`
const environment = { CONTAINERS_CONF: join(folder, 'containers.conf') }

/** Makes an image of a shell and what it needs. @returns why containers cannot be run here, or null */
function makeImage(): string | null {
  const missing = lacks('podman', 'ldd')
  if (missing) return missing
  writeFileSync(environment.CONTAINERS_CONF, settings)
  const programs = ['/bin/sh', '/bin/cat', '/bin/sleep']
  const libraries = execFileSync('ldd', programs, { encoding: 'utf8' }).match(/\/lib\S*(?= \()/g) ?? []
  for (const path of new Set([...programs, ...libraries])) {
    mkdirSync(join(folder, 'image', dirname(path)), { recursive: true })
    copyFileSync(path, join(folder, 'image', path))
  }
  writeFileSync(join(folder, 'image/marker'), 'inside the image\n')
  const env = { ...process.env, ...environment }
  const build = `tar -C '${folder}/image' -c . | podman import - ${image} && podman run --rm ${image} /bin/sh -c true`
  const { status, stderr } = spawnSync('sh', ['-c', build], { env, encoding: 'utf8' })
  return status === 0 ? null : stderr.trim().split('\n').at(-1)!
}

const cannot = skips('containers of Podman', makeImage())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(cannot)('a container of Podman', () => {
  test('has the project and the folder of the run at the same paths as outside', async () => {
    const code = `cat /marker; printf '<%s>' "$1" "$QANAT_RUN_ID" "$COLOURS" "\${QANAT_SCRATCH-none}"; echo written >"$3/made"\n`
    const project = await projectWith(code, '/bin/sh', environment)
    project.write('.qanat/config.yaml', 'local:\n  default: {env: {COLOURS: "red\\nblue"}}\n')
    expect(await project.qanat('run', '--container', image, 'it', "it's $HOME")).toMatchObject({ code: 0, stderr: '' })
    expect(project.read('results/it/run_1/stdout.txt')).toBe("inside the image\n<it's $HOME><1><red\nblue><none>")
    expect(project.read('results/it/run_1/made')).toBe('written\n')
    expect((await project.show()).runner_params).toMatchObject({ container: image, gpu: false })
    expect((await project.qanat('run_show', 'it', '1')).stdout).toMatch(/qanat-test:latest \(sha256:[0-9a-f]{64}\)/)
  })

  test('is removed when its group was cancelled', async () => {
    const project = await projectWith('echo begun; sleep 600\n', '/bin/sh', environment)
    await project.qanat('run', '--detach', '--container', image, 'it')
    await until(() => project.has('results/it/run_1/stdout.txt') && project.read('results/it/run_1/stdout.txt'))
    await project.qanat('run_cancel', 'it', '1')
    const { stdout: names } = await project.shell('podman ps --all --format "{{.Names}}"')
    expect(names).not.toContain('qanat-')
  })
})
