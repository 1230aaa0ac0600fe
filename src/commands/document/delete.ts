import { documents } from '../../cli/questions/document.js'
import { deleteCommand } from '../../cli/registry/commands.js'

export default deleteCommand(documents, ({ path }) => ` Its files in ${path} are kept.`, {
  summary: 'Remove a document from the project, keep its files',
})
