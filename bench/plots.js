import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTurn, millisecondsOf } from './measure.js'
import { Project } from './project.js'

/** The same picture by what a researcher would write: the mean and the deviation of the groups of each rate, by step. */
const peer = `
import csv, glob, os, re
import matplotlib
matplotlib.use('svg')
from matplotlib import pyplot
from statistics import mean, stdev
series = {}
for path in glob.glob('results/noop/run_1/group_*'):
    with open(path + '/group_info.yaml') as info:
        rate = re.search(r'--rate.*?(\\d+)', info.read()).group(1)
    with open(path + '/metrics.csv', newline='') as file:
        series.setdefault(rate, []).append([float(row['acc']) for row in csv.DictReader(file)])
figure, axes = pyplot.subplots()
for rate, values in sorted(series.items()):
    steps = range(len(values[0]))
    means, deviations = zip(*((mean(at), stdev(at)) for at in zip(*values)))
    axes.plot(steps, means, label=rate)
    low, high = zip(*((m - d, m + d) for m, d in zip(means, deviations)))
    axes.fill_between(steps, low, high, alpha=0.2)
axes.legend()
figure.savefig('peer.svg')
`

export const plotRows = [
  {
    name: 'plot',
    what: 'a plot of 100 groups with 1,000 steps each, as SVG',
    reference: 'a script with matplotlib',
    target: '≤ 0.5×',
    needs: { program: 'python3', words: ['-c', 'import matplotlib'], package: 'python3-matplotlib' },
    measure() {
      const project = projectWithSeries()
      const options = { cwd: project.path, env: project.environment }
      return inTurn(
        5,
        () => project.qanat('plot', 'noop', '-o', 'ours.svg'),
        () => millisecondsOf('python3', ['-c', peer], options),
      )
    },
  },
]

/** Ten groups of each of ten rates, with a series of 1,000 steps each, which has been taken in. */
function projectWithSeries() {
  const project = new Project(['noop'])
  const rates = Array.from({ length: 10 }, (_, rate) => rate)
  project.qanat('run', '-V', `--rate ${rates.join(' ')}`, 'noop', '-R', '--seed 0 10 1', '--n_threads', '2')
  for (let group = 0; group < 100; group++) {
    const folder = join(project.path, `results/noop/run_1/group_${group}`)
    mkdirSync(folder, { recursive: true })
    const rows = Array.from({ length: 1000 }, (_, step) => `${step},${Math.sin(step / 100 + group) + (group % 10)}`)
    writeFileSync(join(folder, 'metrics.csv'), `step,acc\n${rows.join('\n')}\n`)
  }
  project.qanat('compare', 'noop')
  return project
}
