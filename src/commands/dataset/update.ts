import { datasets } from '../../cli/questions/dataset.js'
import { updateCommand } from '../../cli/registry/commands.js'

export default updateCommand(datasets)
