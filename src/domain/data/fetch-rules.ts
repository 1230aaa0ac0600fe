import { usualSources } from '../results/metrics.js'
import type { PathRules } from '../text/path-patterns.js'

/** Which files of groups come from another machine by themselves. Patterns are relative to the folder of the group. */
export interface FetchRules extends PathRules {
  /** In bytes; larger files stay there. */
  readonly maxFile: number
}

/** Files up to this size, in bytes, come while a group runs; larger ones once it has ended, if rules want them. */
export const largestOfLive = 1024 * 1024

/** What the lists and pages of runs read, as patterns: it comes, whatever the rules say. */
export const evidence: readonly string[] = [
  ...['info.yaml', 'group_info.yaml', 'stdout.txt', 'stderr.txt', 'progress.txt'],
  ...usualSources.flatMap(source => ('file' in source ? source.file : [])),
].map(path => `/${path}`)
