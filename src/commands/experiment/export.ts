import { experiments } from '../../cli/questions/experiment.js'
import { exportCommand } from '../../cli/registry/commands.js'

export default exportCommand(experiments)
