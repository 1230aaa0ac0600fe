import type { Dependency } from '../../domain/documents/document.js'
import { type Provider, placeOfFile } from '../../domain/documents/provider.js'
import type { Run } from '../../domain/runs/run.js'
import { filesLacking, presenceOf } from '../../runfolder/files/presence.js'
import { fetchNeeded } from '../folder/fetch-needed.js'
import { outputsOf } from '../outputs/outputs.js'
import { readFolder, type Workspace } from '../workspace.js'

/** An action makes the files of a dependency, if the folder of the run is there. */
export function canProvide(workspace: Workspace, dependency: Dependency, run: Run): boolean {
  if (dependency.action !== null) return presenceOf(readFolder(workspace, run)) === 'there'
  return missingFiles(workspace, dependency, run).length === 0
}

/** Files that a dependency needs and the folder of a run lacks. */
export function missingFiles(workspace: Workspace, { files }: Dependency, run: Run): string[] {
  return filesLacking(readFolder(workspace, run), files)
}

/** The same of what provides it. */
export function missingOf(workspace: Workspace, { files }: Dependency, provider: Provider): string[] {
  return files.filter(file => {
    const place = placeOfFile(provider, file)
    return place === null || filesLacking(readFolder(workspace, place.run), [place.file]).length > 0
  })
}

/** Fetches those that are not on this machine. */
export async function fetchMissing(workspace: Workspace, dependency: Dependency, provider: Provider): Promise<void> {
  const places = missingOf(workspace, dependency, provider).flatMap(file => placeOfFile(provider, file) ?? [])
  for (const run of new Set(places.map(place => place.run))) {
    const files = new Set(places.filter(place => place.run === run).map(({ file }) => file))
    await fetchNeeded(workspace, run, () => file => files.has(file.path))
  }
}

/** Says that a run lacks files that a dependency needs, or that they are not fetched. */
export function missingText(workspace: Workspace, run: Run, files: readonly string[], name = `run ${run.id}`): string {
  const names = files.join(', ')
  return readFolder(workspace, run).isMirror
    ? `${names} of ${name} is not fetched from ${run.site}`
    : `${name} has no ${names}`
}

/** Whether a run is known to have ended without these files. */
export function hadNone(workspace: Workspace, run: Run, files: readonly string[]): boolean {
  const kept = outputsOf(workspace, run)
  return kept !== null && kept.partial === null && !kept.files.some(({ path }) => files.includes(path))
}
