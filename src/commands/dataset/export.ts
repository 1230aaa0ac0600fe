import { datasets } from '../../cli/questions/dataset.js'
import { exportCommand } from '../../cli/registry/commands.js'

export default exportCommand(datasets)
