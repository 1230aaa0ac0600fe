import {
  changesBetween,
  digestsOf,
  type FileChange,
  type Listing,
  listFiles,
  type Place,
} from '../../system/folders/listing.js'

/** How much is looked at before a script is called, and after it. Nobody should have to wait for a record. */
const limits = { files: 100_000, milliseconds: 1_000 }
/** Contents that are read, to be found later. */
const reading = { milliseconds: 2_000, largest: 1_000_000_000 }

/** What a script has done to files. */
export interface WrittenFiles {
  /** A digest is null for a file that was removed, or not read. */
  readonly changes: readonly (FileChange & { readonly digest: string | null })[]
  /** False if there were too many files to look at. */
  readonly complete: boolean
}

/** Watches what a script writes at some places, by looking there before it is called and after it. */
export class WatchedPlaces {
  readonly before: Listing
  private readonly since = Date.now()

  /** @param counts says which paths do */
  constructor(
    private readonly places: readonly Place[],
    private readonly counts: (path: string) => boolean = () => true,
  ) {
    this.before = this.look()
  }

  /** What has changed since. */
  async changes(): Promise<WrittenFiles> {
    const after = this.look()
    const changes = changesBetween(this.before, after, this.since)
    const digests = await digestsIn(changes.filter(({ change }) => change !== 'removed'))
    return {
      changes: changes.map(change => ({ ...change, digest: digests.get(change.path) ?? null })),
      complete: this.before.complete && after.complete,
    }
  }

  private look(): Listing {
    const { files, ...listing } = listFiles(this.places, limits)
    return { ...listing, files: new Map([...files].filter(([path]) => this.counts(path))) }
  }
}

/** The digests of files by their paths; null for a file that is not there or was not read. */
export async function digestsIn(
  files: readonly { readonly path: string; readonly size: number }[],
  limit = reading,
): Promise<Map<string, string | null>> {
  const digests = await digestsOf(files, limit)
  return new Map(files.map(({ path }, at) => [path, digests[at]!]))
}
