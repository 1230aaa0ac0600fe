import { groupSortNames, readGroupFilter } from '../domain/runs/group-filter.js'
import type { GroupRequest } from '../operations/results/list-groups.js'
import { csvFlag, Flags, repeatable } from './arguments.js'

/** The options of a list of groups. */
export const groupListFlags = {
  param: repeatable('only groups with this parameter: --lr:0.1, lr:0.1, or a value', { completes: 'parameter_values' }),
  status: repeatable('only groups with these statuses: failed,lost', { completes: 'statuses' }),
  cause: repeatable('only groups that failed or were lost for these causes: oom,timeout', { completes: 'causes' }),
  host: repeatable('only groups that started on this host', { completes: 'hosts' }),
  where: repeatable(
    "only groups whose metric meets this condition, such as 'acc > 0.9'; a metric with steps counts by its last value, or with acc:max",
    { completes: 'metrics', helpValue: '<condition>' },
  ),
  sort: Flags.string({
    description: `sort by ${groupSortNames.join(', ')}, a parameter or a metric; a - before it reverses the order`,
    completes: 'group_sortings',
  }),
  limit: Flags.integer({ min: 1, helpValue: '<n>', description: 'at most n groups' }),
  csv: csvFlag,
}

interface Given extends NonNullable<Parameters<typeof readGroupFilter>[0]> {
  readonly sort?: string | undefined
  readonly limit?: number | undefined
}

/** Reads the options at once, so that mistakes are reported first. */
export function groupChoice(given: Given): Pick<GroupRequest, 'filter' | 'sort' | 'limit'> {
  return { filter: readGroupFilter(given), sort: given.sort ?? null, limit: given.limit ?? null }
}
