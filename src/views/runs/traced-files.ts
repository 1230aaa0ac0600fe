import type { TracedFiles } from '../../operations/code/traced-files.js'
import { displayableLine } from '../format/displayable.js'
import type { JsonObject } from '../render/json.js'

/** At most this many files of each kind are shown. */
const shown = 20
const few = 5

/** The files that a run has opened, and what to write into the YAML file of its experiment. */
export function tracedFilesText({ tracked, trackedInAll, data, untracked, uses }: TracedFiles): string {
  const lines = [
    `It opened ${tracked.length} of the ${trackedInAll} files that git tracks:`,
    ...listed(tracked),
    ...Object.entries(data).flatMap(([dataset, files]) => [`of the dataset ${dataset}:`, ...listed(files)]),
    ...(untracked.length > 0 ? ['and of the files that git does not track, which no record contains:'] : []),
    ...listed(byFolder(untracked)),
    'If other arguments open no others, the YAML file of the experiment may say:',
    `  uses: [${uses.map(quoted).join(', ')}]`,
  ]
  return lines.join('\n')
}

/** Of many files in a folder at the root, such as an environment, only the number is shown. */
function byFolder(files: readonly string[]): string[] {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const [folder = ''] = file.split('/', 1)
    if (!folders.get(folder)?.push(file)) folders.set(folder, [file])
  }
  return [...folders].flatMap(([folder, inside]) =>
    inside.length > few ? [`${folder}/ (${inside.length} files)`] : inside,
  )
}

function listed(files: readonly string[]): string[] {
  const more = files.length - shown
  const lines = files.slice(0, shown).map(file => `  ${displayableLine(file)}`)
  return more > 0 ? [...lines, `  … and ${more} more`] : lines
}

/** A pattern as YAML. */
function quoted(pattern: string): string {
  return /^[\w./-]+$/.test(pattern) ? pattern : JSON.stringify(pattern)
}

/** The same for programs. */
export function tracedFilesJson({ tracked, data, untracked, uses }: TracedFiles): JsonObject {
  return { tracked, data, untracked, uses }
}
