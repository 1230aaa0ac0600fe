import { experiments } from '../../cli/questions/experiment.js'
import { updateCommand } from '../../cli/registry/commands.js'

export default updateCommand(experiments, 'Existing runs keep what they recorded.')
