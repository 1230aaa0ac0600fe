import { brokenDefinitions } from '../../operations/registry/follow-definitions.js'
import type { DefinitionKind } from '../../project/definitions.js'
import type { Store } from '../../store/store.js'
import type { Style } from '../../views/format/style.js'
import { csvFlag } from '../arguments.js'
import { QanatCommand } from '../base-command.js'

/** How the things of a kind are listed. */
interface Listing<Row> {
  readonly kind: DefinitionKind
  readonly rows: (store: Store) => Row[]
  readonly text: (style: Style, rows: readonly Row[]) => string
  readonly csv: (rows: readonly Row[]) => string
  readonly json: (row: Row) => object
}

/** The command that lists the things of a kind. It needs no settings, and reads definitions only if they have changed. */
export function listCommand<Row>({ kind, rows, text, csv, json }: Listing<Row>) {
  return class List extends QanatCommand {
    static override summary = `List the ${kind}s`
    static override examples = [`qanat ${kind} list`, `qanat ${kind} list --json`]
    static override enableJsonFlag = true
    static override flags = { csv: csvFlag }

    async run(): Promise<unknown> {
      const { flags } = await this.parse(List)
      const store = await this.store()
      const listed = rows(store)
      this.warnOfBroken(brokenDefinitions(store, kind))
      if (flags.csv) this.print(csv(listed))
      else this.print(text(await this.style(), listed))
      return { [`${kind}s`]: listed.map(json) }
    }
  }
}
