import { relative } from 'node:path'
import { launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { OperationError, UserError } from '../../errors.js'
import type { Site } from '../../sites/site.js'
import type { SubmissionIntent } from '../types.js'
import { jobStem } from './jobs.js'
import { namespaceOf } from './kubectl.js'

/** How much code a launch without a volume has at most, packed, in bytes. */
const mostCode = 10 * 2 ** 20
/** How much of it a ConfigMap has, in bytes: the server takes 1 MiB. */
const pieceSize = 750_000

/** Code that goes to pods without a volume, by the names of the ConfigMaps that have a part of it each, as base64. */
export type PackedCode = ReadonlyMap<string, string>

/** The name of a ConfigMap of a launch. */
function codeName(intent: SubmissionIntent, at: number): string {
  return `${jobStem(intent)}-code-${at}`
}

/**
 * Packs the files with which the groups of a launch start, and the frozen copy of the code.
 * @param copy where that is, in the root of the namespace
 * @throws UserError if they are too large
 */
export async function packCode(site: Site, intent: SubmissionIntent, copy: string): Promise<PackedCode> {
  const { path } = namespaceOf(site).volume
  const launch = relative(path, `${intent.place.there}/${launchFolder(intent.attempt)}`)
  const ours = ['kubernetes*.json', 'submission_*'].map(name => `--exclude=${launch}/${name}`)
  const words = [...ours, `--exclude=${copy}/.git`, '--', launch, copy]
  const script = `cd -- "$1" && shift && packed=$(mktemp) && trap 'rm -f -- "$packed"' EXIT && tar -czf "$packed" "$@" &&
base64 <"$packed" | tr -d '\\n'`
  const { stdout, exitCode, stderr } = await site.run(['sh', '-c', script, 'sh', path, ...words], { timeout: 300_000 })
  if (exitCode !== 0) throw new OperationError(`the code cannot be packed: ${stderr.trim()}`, 'try again')
  const size = (stdout.length / 4) * 3
  if (size > mostCode)
    throw new UserError(
      `the code has ${(size / 2 ** 20).toFixed(1)} MB, packed, and without a volume it may have at most 10 MB`,
      'leave large files out of git, or use a claim: results: volume in the context',
    )
  const width = (pieceSize / 3) * 4
  const pieces = Array.from({ length: Math.ceil(stdout.length / width) }, (_, at) =>
    stdout.slice(at * width, (at + 1) * width),
  )
  return new Map(pieces.map((piece, at) => [codeName(intent, at), piece]))
}

/** @throws UserError if a launch without a volume needs data that are not in the repository */
export function refuseOutside({ datasetPaths, copied }: RunPlan): void {
  const outside = datasetPaths.find(path => !path.startsWith(`${copied?.copy}/`))
  if (outside !== undefined)
    throw new UserError(
      `the dataset ${outside} is not in the repository, and pods without a volume have nothing else`,
      'put it into git, or use a claim: results: volume or node in the context',
    )
}
