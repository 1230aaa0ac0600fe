import { Args, csvFlag } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { listViews, query, refuseWords } from '../../operations/results/query.js'
import { queryCsv, queryJson, queryText, viewsJson, viewsText } from '../../views/results/query.js'

export default class Sql extends QanatCommand {
  static override summary = 'Query runs and metrics in SQL (read-only)'
  static override description =
    'The views are runs, groups, metrics, cells, and one for each experiment, which has a row for each group and a column for each parameter and metric. Without a query, all views are listed with their columns. In each of them a run is run, and its commit is "commit". Names such as "group" and "--lr" need double quotes.'
  static override topics = ['sql-tables']
  static override examples = [
    { description: 'The views and their columns', command: 'qanat sql' },
    `qanat sql 'select "--rate", avg(accuracy), count(*) from classify_iris group by "--rate"'`,
    `qanat sql "select cause, count(*) from groups where status = 'failed' group by cause" --csv`,
  ]
  static override usage = '[QUERY] [OPTIONS]'
  static override strict = false
  static override enableJsonFlag = true
  static override args = { query: Args.string({ description: 'one select statement, as one word' }) }
  static override flags = { csv: csvFlag }

  async run(): Promise<unknown> {
    const { args, argv, flags } = await this.parse(Sql)
    refuseWords(argv as string[])
    const workspace = await this.workspace()
    if (args.query === undefined) {
      const views = await listViews(workspace)
      this.print(viewsText(views))
      return viewsJson(views)
    }
    return query(workspace, args.query, async result => {
      if (flags.csv) await this.printPieces(queryCsv(result))
      else if (this.jsonEnabled()) return queryJson(result)
      else this.print(queryText(result, this.screen))
    })
  }
}
