import { experiments } from '../../cli/questions/experiment.js'
import { deleteCommand } from '../../cli/registry/commands.js'

export default deleteCommand(experiments, () => '', {
  summary: 'Delete an experiment that has no runs',
  description: 'Runs in the trash count, too. The files of the experiment are kept.',
})
