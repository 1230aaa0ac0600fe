import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../e2e/project.js'

/** A registry of images on this machine, and the settings with which buildah uses it. */
export interface Registry {
  /** As in `127.0.0.1:41234`. */
  readonly host: string
  /** Variables of a user of buildah, which has its images in a folder of this registry. */
  readonly environment: Readonly<Record<string, string>>
  /** Tags of a repository; empty if there is none. */
  tags(repository: string): Promise<string[]>
  /** Ends it, and removes all images. */
  stop(): void
}

/** Starts Debian's docker-registry. */
export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'qanat-registry-'))
  const host = `127.0.0.1:${await freePort()}`
  writeFileSync(
    join(folder, 'registry.yml'),
    `version: 0.1\nstorage: {filesystem: {rootdirectory: ${folder}/registry}}\nhttp: {addr: '${host}'}\n`,
  )
  writeFileSync(
    join(folder, 'storage.conf'),
    `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`,
  )
  writeFileSync(
    join(folder, 'registries.conf'),
    `unqualified-search-registries = []\n[[registry]]\nlocation = "${host}"\ninsecure = true\n`,
  )
  const child = spawn('docker-registry', ['serve', join(folder, 'registry.yml')], { stdio: 'ignore' })
  const ask = (path: string) => fetch(`http://${host}/v2/${path}`)
  await until(() =>
    ask('').then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    host,
    environment: {
      BUILDAH_ISOLATION: 'chroot',
      STORAGE_DRIVER: 'vfs',
      CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
      CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
    },
    async tags(repository) {
      const { tags } = (await (await ask(`${repository}/tags/list`)).json()) as { tags?: string[] }
      return tags ?? []
    },
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Pushes an image that is made of a folder alone. @returns its name */
export function pushFolder({ host, environment }: Registry, folder: string, name: string): string {
  const image = `${host}/${name}`
  const lines =
    'container=$(buildah from scratch) && buildah copy "$container" "$1" / && buildah commit --rm "$container" "$2" && buildah push "$2"'
  execFileSync('sh', ['-c', lines, 'sh', folder, image], { env: { ...process.env, ...environment }, stdio: 'ignore' })
  return image
}

function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  return new Promise(done =>
    server.once('listening', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    }),
  )
}
