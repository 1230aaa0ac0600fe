import { cpSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { program, quote, until } from '../e2e/project.js'
import { hasTerminal, Screen } from '../e2e/screen.js'
import { inBoxText, sharedFolder, startBox } from './box.js'
import { ClusterProject, identity, noBox } from './project.js'

/**
 * The lines that the tutorials of the older program have their readers type, word for word: "Experiments, Datasets and
 * description files" and "Running experiments through a job system", in docsrc/tutorials/basics of AmmarMian/qanat
 * (GPL 3; commands and settings only). The scripts are those of examples/iris, which need Python alone.
 */
const example = fileURLToPath(new URL('../../examples/iris/', import.meta.url))

const dataset = `name: iris
description: Iris dataset
path: data/iris
tags: [csv, iris, classification]
`

/** The tutorial's, with the bash script as the executable for the nodes, and the action that its card of the experiment shows. */
const experiment = `name: summary_iris
description: Summary statistics on IRIS dataset
path: experiments/summary_statistics
executable: experiments/summary_statistics/iris.sh
executable_command: bash
datasets:
  - iris
tags:
  - First-order
  - Histograms
actions:
  - plot:
      name: plot
      description: Plot summary statistics about the dataset
      executable: experiments/summary_statistics/plot.py
      executable_command: python
`

/** "Recast the experiment executable as a bash script" that forwards its arguments; it waits while the test wants it to. */
const bashScript = `#!/bin/bash
while [ -e "$QANAT_PROJECT/.qanat/wait" ]; do sleep 0.1; done
python experiments/summary_statistics/iris.py "$@"
`

/** What all templates have below their first line. @param count of processors and gigabytes */
const lines = (count: number, indent = '') => `getenv: 'true'
${indent}request_cpus: ${count}
${indent}request_disk: 1GB
${indent}request_gpus: 0
${indent}request_memory: ${count}GB
${indent}universe: vanilla`
const template = `+WishedAcctGroup: group_usmb.listic\n${lines(1)}\n`

/** With the template `two_cpus` that the tutorial adds. */
const config = (group: string) => `default_editor: vim
htcondor:
  default:
    +WishedAcctGroup: '"group_usmb.listic"'
    ${lines(1, '    ')}
  two_cpus:
    +WishedAcctGroup: ${group}
    ${lines(2, '    ')}
logging: INFO
result_dir: results
slurm:
  default:
    --cpus-per-task: 1
    --ntasks: 1
    --time: 1-00:00:00
`

describe.skipIf(noBox || !hasTerminal)('the tutorial of the older program', () => {
  let project: ClusterProject
  let environment: NodeJS.ProcessEnv

  beforeAll(() => {
    startBox()
    const folder = sharedFolder('iris_mnist')
    // "We also assume python executable is called with alias python."
    environment = { PATH: `${dirname(folder)}/bin:/usr/local/bin:/usr/bin:/bin` }
    project = new ClusterProject(folder, environment)
  })

  /** Types a line on a terminal of the login node. */
  const types = (line: string) => {
    const code = `qanat() { node ${quote(program)} "$@"; }\n${line}`
    const words = inBoxText(['sh', '-c', code], { ...identity, ...environment })
    return new Screen({ path: project.folder, environment: process.env }, words, [160, 50])
  }

  /** Types a line and waits until it has ended well. @returns what it has shown */
  const ran = async (line: string, screen = types(line)) => {
    expect([await screen.exitCode(), screen.text()]).toEqual([0, expect.any(String)])
    return screen.text()
  }

  /** The same for a launch that finds files to commit. */
  const committedAndRan = async (line: string) => {
    const screen = types(line)
    await screen.answer('Commit all of them now?', 'y')
    await screen.answer('Commit message', 'Go on with the tutorial')
    return ran(line, screen)
  }

  /** A run once it has ended. */
  const ended = (id: number) =>
    until(
      async () => {
        const { runs } = await project.json('experiment', 'status', 'summary_iris', '--refresh', '--json')
        return runs.find((run: { id: number }) => run.id === id)
      },
      run => run.finished !== null,
    )

  test('sets up a dataset and an experiment, and runs it', async () => {
    await project.command('sh', '-c', 'mkdir ../bin; ln -s /usr/bin/python3 ../bin/python')
    await ran('qanat init . --yes')
    for (const name of ['iris.py', 'plot.py']) {
      cpSync(`${example}experiments/summary_statistics/${name}`, project.path('experiments/summary_statistics', name))
    }
    cpSync(`${example}data/iris.csv`, project.path('data/iris/iris.csv'))
    project.write('experiments/summary_statistics/iris.sh', bashScript)
    project.write('data/iris.yaml', dataset)
    project.write('experiments_details/summary_statistics_iris.yaml', experiment)
    // The notes of the tutorial offer the same with --yes.
    await ran('qanat dataset new data/iris.yaml --yes')
    expect(await ran('qanat dataset list')).toMatch(/iris +.*data\/iris .*csv, iris, classification.*Iris dataset/)
    await ran('qanat experiment new -f experiments_details/summary_statistics_iris.yaml')
    expect(await ran('qanat experiment list')).toMatch(/summary_iris +.*0 /)
    await committedAndRan('qanat experiment run summary_iris')
    expect(project.read('results/summary_iris/run_1/summary.json')).toContain('median')
  })

  test('runs it on HTCondor with a template in a file, and with one of the settings', async () => {
    project.write('htcondor_template.yaml', template)
    const line = 'qanat run --runner htcondor summary_iris --submit_template'
    expect(await committedAndRan(`${line} htcondor_template.yaml`)).toContain('HTCondor cluster 1')
    expect(await ended(2)).toMatchObject({ status: 'finished', runner: 'htcondor' })
    // The tutorial has the quotes in the wrong order here.
    project.write('.qanat/config.yaml', config(`'"group_usmb.listic'"`))
    const refused = types(`${line} two_cpus`)
    expect(await refused.exitCode()).toBe(2)
    expect(refused.text()).toMatch(/^Error: \.qanat\/config\.yaml:12:/)
    project.write('.qanat/config.yaml', config(`'"group_usmb.listic"'`))
    await ran(`${line} two_cpus`)
    expect(await ended(3)).toMatchObject({ status: 'finished', runner_params: { submit_template: 'two_cpus' } })
    // The history has a job a little later than its log.
    await until(
      async () => (await project.command('condor_history', '2', '-af', 'RequestCpus', 'WishedAcctGroup')).stdout,
      asked => asked === '2 group_usmb.listic\n',
    )
  })

  test('shows a job in condor_q and in the status, and explores its run', async () => {
    project.write('.qanat/wait', '')
    await ran('qanat run --runner htcondor summary_iris')
    expect(await ran('condor_q')).toMatch(/researcher summary_iris_4 .* 3\.0/)
    const status = await ran('qanat experiment status summary_iris')
    for (const text of ['summary_iris', 'Summary statistics on IRIS dataset', 'First-order', 'plot: Plot summary'])
      expect(status).toContain(text)
    expect(status).toMatch(/4 .*(pending|running) .*htcondor .*results\/summary_iris\/run_4/)
    await project.command('rm', '.qanat/wait')
    expect((await ended(4)).status).toBe('finished')
    const screen = types('qanat experiment run_explore summary_iris 4')
    const letters = [
      ...['[a] Show output(s)', '[b] Show error(s)', '[c] Show parameters', '[d] Show comment'],
      ...['[e] Explore run directory', '[f] Show HTCondor log(s)', '[g] Delete run', '[h] Action: plot'],
    ]
    await screen.shows('Run 4 of experiment summary_iris', ...letters)
    screen.press('h')
    await screen.answer('Arguments of plot', '')
    await until(() => project.read('results/summary_iris/run_4/histograms.svg'))
    await screen.shows('[Enter: back]')
    screen.press('Enter')
    await screen.shows('[h] Action: plot')
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
  })

  test('runs groups of parameters and ranges on HTCondor, and the same on Slurm', async () => {
    const grid = `summary_iris -g "--bins 5" -g "--bins 20" -R "--seed 0 2 1"`
    expect(await ran(`qanat run --runner htcondor ${grid}`)).toContain('4 groups → HTCondor cluster 4')
    expect(await ran(`qanat run --runner slurm ${grid}`)).toMatch(/4 groups → Slurm job \d+/)
    await ran('qanat run --runner slurm summary_iris --submit_template default')
    for (const [id, finished] of [[5, 4] as const, [6, 4] as const, [7, 1] as const])
      expect(await ended(id)).toMatchObject({ status: 'finished', groups: { finished } })
    for (const id of [5, 6]) expect(project.read(`results/summary_iris/run_${id}/group_3/histograms.json`)).not.toBe('')
    await ran('qanat experiment action summary_iris plot 6')
    expect(project.read('results/summary_iris/run_6/group_0/histograms.svg')).toContain('<svg')
    const screen = types('qanat experiment run_explore summary_iris 7')
    await screen.shows('[f] Show Slurm script and log', '[h] Action: plot')
    screen.press('q')
    expect(await screen.exitCode()).toBe(0)
  })
})
