import { datasets } from '../../cli/questions/dataset.js'
import { deleteCommand } from '../../cli/registry/commands.js'

export default deleteCommand(datasets, ({ path }) => ` Its files in ${path} are kept.`, {
  summary: 'Remove a dataset from the project, keep its files',
})
