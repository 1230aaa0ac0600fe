import { documents } from '../../cli/questions/document.js'
import { newCommand } from '../../cli/registry/commands.js'

export default newCommand(documents, {
  summary: 'Register a document',
  topics: ['document-file', 'documents'],
  examples: [
    'qanat document new -f report.yaml',
    { description: 'By answering questions', command: 'qanat document new' },
  ],
})
