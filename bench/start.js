import { inTurn, millisecondsOf } from './measure.js'
import { Project } from './project.js'

/** How long a command takes that has next to nothing to do. */
export const startRows = [
  {
    name: 'version',
    what: '`qanat --version`',
    reference: '`node -e 0`',
    target: '≤ 1.4×',
    measure: () => beside('--version'),
  },
  {
    name: 'list',
    what: '`qanat experiment list`, 10 experiments',
    reference: '`node -e 0`',
    target: '≤ 1.8×',
    measure: () => beside('experiment', 'list'),
  },
  {
    name: 'completion',
    what: 'a Tab completion of the name of an experiment',
    reference: '`node -e 0`',
    target: '≤ 1.6×',
    measure: () => beside('completion', 'complete', '--', 'run', 'experiment_'),
  },
]

function beside(...args) {
  const project = new Project(Array.from({ length: 10 }, (_, number) => `experiment_${number}`))
  const bareNode = () => millisecondsOf(process.execPath, ['-e', '0'], { env: project.environment })
  return inTurn(21, () => project.qanat(...args), bareNode)
}
