import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { folderAnnotation, runLabel } from '../../domain/pods/manifest.js'
import type { Pod } from '../../domain/pods/objects.js'
import { type Archive, endsInMessage, type Poured, pouredWord, readPoured } from '../../domain/pods/poured.js'
import { mainContainer, podEnd } from '../../domain/pods/reasons.js'
import { UserError } from '../../errors.js'
import { atomicWrite } from '../../system/files.js'
import { readRegular } from '../../system/regular-file.js'
import { type FarPlace, farSite } from '../far/site.js'
import type { Transport } from '../far/transport.js'
import { unpack } from '../far/unpack.js'
import type { Namespace, Site } from '../site.js'
import { kubectl } from './kubectl.js'
import { provideNamespace } from './namespace.js'
import { askKubectl, clusterSite, objectsIn } from './site.js'

/** A namespace without a volume as a place of this project. */
export type LogPlace = Omit<Namespace, 'secrets'> &
  Omit<FarPlace, 'transport' | 'storage'> & {
    /** The name of the namespace; null for the one that kubectl has now. */
    readonly namespace: string | null
  }

/** Programs that the folder of this machine has; pods have those of their image. */
const path = '/usr/local/bin:/usr/bin:/bin'

/**
 * A namespace without a volume. What pods would share is in a folder of this machine, which each of them has under the same name with
 * the code of its launch; what a pod adds to it comes by its log.
 */
export function logSite(place: LogPlace): Site {
  const { title, kubectl: words, namespace, volume, user, name, project } = place
  const transport: Transport = {
    host: title,
    login: 'try again',
    unconnected: 127,
    async words(code) {
      mkdirSync(volume.path, { recursive: true, mode: 0o700 })
      return ['env', '-i', `PATH=${path}`, `HOME=${volume.path}`, 'sh', '-c', code]
    },
    isConnected: async () => true,
  }
  const far = farSite({ ...place, storage: null, transport })
  return {
    ...clusterSite(far, name, { title, kubectl: words, volume, user }, () => provideNamespace(words, namespace)),
    probe: async programs => ({ ...(await far.probe(programs)), variables: {}, programs: new Set(['sh']) }),
    push: () =>
      Promise.reject(
        new UserError(
          `${name} has no volume, and so no place for datasets`,
          'put them into git, or use a claim: results: volume or node in the context',
        ),
      ),
    async visit(queries, places, ending) {
      const [answers, others] = await askKubectl(queries, ending)
      const folders = new Set(places.map(({ there }) => relative(project.there, there)))
      const pods = answers.flatMap(([, answer]) => objectsIn(answer).filter(item => item.kind === 'Pod'))
      await Promise.all(pods.map(pod => readLog(words, project.there, folders, pod)))
      const more = await far.visit(others, places, ending)
      return new Map([...answers, ...more])
    },
  }
}

/** Takes what is new in the log of a pod, if it is one of these runs. @param root of the project there */
async function readLog(words: readonly string[], root: string, folders: ReadonlySet<string>, pod: Pod): Promise<void> {
  const { name, labels = {}, annotations = {} } = pod.metadata
  const [folder, token, job] = [annotations[folderAnnotation], labels[runLabel], labels['job-name']]
  if (folder === undefined || token === undefined || job === undefined || !folders.has(folder)) return
  const own = join(root, folder, '.run')
  const isOver = podEnd(pod) !== null
  if (existsSync(join(own, 'read', job)) || !(isOver || pod.status?.phase === 'Running')) return
  const { exitCode, stdout } = await kubectl([...words, 'logs', name, '-c', mainContainer])
  // It is asked again.
  if (exitCode !== 0) return
  const poured = readPoured(stdout, pouredWord(token))
  const journal = join(own, 'records', job)
  if (poured) await takePoured(root, folder, journal, poured)
  if (!isOver) return
  const message = pod.status?.containerStatuses?.find(each => each.name === mainContainer)?.state?.terminated?.message
  if (!poured) addLines(journal, endsInMessage(message ?? ''))
  mkdirSync(join(own, 'read'), { recursive: true })
  atomicWrite(join(own, 'read', job), poured ? 'whole' : 'cut')
}

/** Unpacks what has come whole, then notes its records. */
async function takePoured(root: string, folder: string, journal: string, { records, rest }: Poured): Promise<void> {
  const known = new Set(linesOf(journal))
  const news: string[] = []
  for (const { line, archive } of records) {
    if (known.has(line) || (archive !== null && !(await unpackWhole(root, folder, archive)))) continue
    news.push(line)
  }
  if (rest !== null) await unpackWhole(root, folder, rest)
  addLines(journal, news)
}

/** @returns false if it is not as it was written */
async function unpackWhole(root: string, folder: string, { base64, sha256 }: Archive): Promise<boolean> {
  const bytes = Buffer.from(base64, 'base64')
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) return false
  await unpack(Readable.from([bytes]), root, [folder])
  return true
}

function linesOf(file: string): string[] {
  return (readRegular(file) ?? '').split('\n')
}

/** Adds lines to a journal. Two commands may do so at the same time: a record that is there twice is one. */
function addLines(journal: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  mkdirSync(dirname(journal), { recursive: true })
  appendFileSync(journal, `${lines.join('\n')}\n`)
}
