import { datasets } from '../../cli/questions/dataset.js'
import { newCommand } from '../../cli/registry/commands.js'

export default newCommand(datasets, {
  summary: 'Register a dataset',
  topics: ['dataset-file', 'data'],
  examples: [
    'qanat dataset new -f dataset.yaml',
    { description: 'By answering questions', command: 'qanat dataset new' },
  ],
})
