import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Folder, projectWith } from '../e2e/project.js'
import { lacks, skips } from '../skips.js'
import { pushFolder, type Registry, startRegistry } from './registry.js'

const reason = lacks('buildah', 'docker-registry', 'busybox')

/** What is python3 in the base: it tells what it was to install. */
const python = `#!/bin/sh
echo "pip $*"
if grep broken /tmp/requirements.txt; then echo 'no package broken' >&2; exit 3; fi
`

/** A cluster that makes no jobs: whether there is an image is asked before that. */
const kubectl = `#!/bin/sh
case $* in
  *can-i*) echo yes ;;
  *create*) echo 'Error from server (Forbidden): no jobs today' >&2; exit 1 ;;
  *get*) echo '{"items": []}' ;;
esac
`

describe.skipIf(skips('the tests with a real buildah and registry', reason))(
  'an image that a template describes',
  () => {
    let registry: Registry
    let folder: string
    let base: string

    beforeAll(async () => {
      registry = await startRegistry()
      folder = mkdtempSync(join(tmpdir(), 'qanat-image-'))
      const bin = join(folder, 'root/bin')
      for (const path of [bin, join(folder, 'root/tmp'), join(folder, 'bin')]) mkdirSync(path, { recursive: true })
      writeFileSync(join(folder, 'bin/kubectl'), kubectl, { mode: 0o755 })
      writeFileSync(join(bin, 'python3'), python, { mode: 0o755 })
      copyFileSync(execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim(), join(bin, 'busybox'))
      for (const name of ['sh', 'cat', 'grep']) symlinkSync('busybox', join(bin, name))
      base = pushFolder(registry, join(folder, 'root'), 'base:1')
    })
    afterAll(() => {
      registry.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    })

    /** @param build without the repository, which is called as the test */
    async function projectOf(name: string, build: string, files: Readonly<Record<string, string>>): Promise<Folder> {
      const project = await projectWith('true\n', 'sh', {
        ...registry.environment,
        PATH: `${folder}/bin:${process.env.PATH}`,
        QANAT_CONTEXT: 'lab',
      })
      const template = `{build: {${build}, repository: '${registry.host}/${name}'}}`
      project.write(
        '.qanat/config.yaml',
        `contexts: {lab: {cluster: {namespace: lab}, results: log, kubernetes: {default: ${template}}}}\n`,
      )
      for (const [path, text] of Object.entries(files)) project.write(path, text)
      project.commit()
      return project
    }

    /** Launches, which the cluster refuses in the end. @returns the image that was built, or null */
    async function launch(project: Folder, ...words: string[]): Promise<string | null> {
      const { code, stderr } = await project.qanat('run', '--detach', ...words, 'it')
      expect([code, stderr]).toEqual([4, expect.stringContaining('no jobs today')])
      return /Building the image (\S+) with buildah; its output goes to \S+\.log/.exec(stderr)?.[1] ?? null
    }

    const named = async (project: Folder, ...words: string[]): Promise<string> => {
      const { submit } = await project.json('run', '--dry_run', '--json', ...words, 'it')
      const list = JSON.parse(submit.find(({ path }: any) => path.endsWith('.json')).text)
      return list.items[0].spec.template.spec.containers[0].image
    }

    test('is built and pushed once for what it is made of, and a dry run names it', async () => {
      const build = `base: '${base}', requirements: env/pip.txt`
      const project = await projectOf('lab/once', build, { 'env/pip.txt': 'numpy\n' })
      const image = await named(project)
      expect(image).toMatch(/^127\.0\.0\.1:\d+\/lab\/once:[0-9a-f]{16}$/)
      expect(await registry.tags('lab/once')).toEqual([])
      expect(await launch(project)).toBe(image)
      const [tag] = await registry.tags('lab/once')
      expect(image.endsWith(`:${tag}`)).toBe(true)
      expect(project.read(`.qanat/images/${tag}.log`)).toContain(
        'pip -m pip install --no-cache-dir -r /tmp/requirements.txt',
      )
      expect(await launch(project)).toBe(null)
      project.write('it.sh', 'false\n')
      project.commit()
      expect(await launch(project)).toBe(null)
      project.write('env/pip.txt', 'scipy\n')
      const other = await named(project, '--allow_dirty')
      expect(other).not.toBe(image)
      expect(await launch(project, '--allow_dirty')).toBe(other)
      expect((await registry.tags('lab/once')).sort()).toEqual(
        [image, other].map(name => name.split(':').at(-1)).sort(),
      )
    })

    test('is built by one of two launches at once', async () => {
      const project = await projectOf('lab/two', `base: '${base}', requirements: pip.txt`, { 'pip.txt': 'numpy\n' })
      const built = await Promise.all([launch(project), launch(project)])
      expect(built.filter(image => image !== null)).toHaveLength(1)
    })

    test('of a Dockerfile has the files beside it, and is another one when they change', async () => {
      const dockerfile = `FROM ${base}\nCOPY data /data\nRUN cat /data/file && ! test -e /it.sh\n`
      const files = { 'image/Dockerfile': dockerfile, 'image/data/file': 'first\n' }
      const project = await projectOf('lab/file', 'dockerfile: image/Dockerfile', files)
      const image = await launch(project)
      expect(project.read(`.qanat/images/${image!.split(':').at(-1)}.log`)).toMatch(/^first$/m)
      project.write('image/data/file', 'second\n')
      project.commit()
      expect(await launch(project)).not.toBe(image)
      expect(await registry.tags('lab/file')).toHaveLength(2)
    })

    test('of a Dockerfile that takes no files is the same whatever lies beside it', async () => {
      const project = await projectOf('lab/alone', 'dockerfile: Dockerfile', { Dockerfile: `FROM ${base}\nRUN true\n` })
      expect(await launch(project)).not.toBe(null)
      project.write('it.sh', 'false\n')
      project.commit()
      expect(await launch(project)).toBe(null)
    })

    test('that cannot be built ends the launch with what the builder says, and no run is made', async () => {
      const build = `base: '${base}', requirements: pip.txt`
      const project = await projectOf('lab/broken', build, { 'pip.txt': 'broken\n' })
      const { code, stderr } = await project.qanat('run', '--detach', 'it')
      expect(code).toBe(1)
      expect(stderr).toMatch(/could not be built \(buildah build: exit \d+\), and nothing was launched:\n/)
      expect(stderr).toContain('  no package broken\n')
      const [, log] = /less (\S+) {8}shows the whole output/.exec(stderr)!
      expect(project.read(log!)).toContain('no package broken')
      expect(await project.json('runs', '--json')).toEqual({ runs: [] })
      expect(await registry.tags('lab/broken')).toEqual([])
    })

    test('that cannot be pushed says how to log in', async () => {
      const build = `base: '${base}', requirements: pip.txt`
      const project = await projectOf('lab/pushed', build, { 'pip.txt': 'numpy\n' })
      const text = project.read('.qanat/config.yaml').replace(`${registry.host}/lab/pushed`, '127.0.0.1:1/lab/pushed')
      project.write('.qanat/config.yaml', text)
      project.commit()
      const { code, stderr } = await project.qanat('run', '--detach', 'it')
      expect([code, stderr]).toEqual([1, expect.stringContaining("'buildah login 127.0.0.1:1' logs in")])
      expect(stderr).toContain('could not be pushed (buildah push: exit')
      expect(await project.json('runs', '--json')).toEqual({ runs: [] })
    })
  },
)
