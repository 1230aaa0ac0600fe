import { cpSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { splitWords } from '../../src/domain/text/words.js'
import { until } from '../e2e/project.js'
import { sharedFolder, startBox, stopBox } from './box.js'
import { ClusterProject, noBox } from './project.js'

/*
 * The lines that the tutorials of the older program have their readers type, word for word: "Experiments, Datasets and
 * description files" and "Running experiments through a job system", in docsrc/tutorials/basics of AmmarMian/qanat
 * (GPL 3; commands and settings only). The scripts are those of examples/iris, which need Python alone.
 */
const scripts = 'experiments/summary_statistics'

const dataset = 'name: iris\ndescription: Iris dataset\npath: data/iris\ntags: [csv, iris, classification]\n'

const experiment = `name: summary_iris
description: Summary statistics on IRIS dataset
path: ${scripts}
executable: ${scripts}/iris.sh
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
      executable: ${scripts}/plot.py
      executable_command: python
`

/** "Recast the experiment executable as a bash script" that forwards its arguments. */
const bashScript = `#!/bin/bash\npython ${scripts}/iris.py "$@"\n`

/** What all templates have below their first line. @param count of processors and gigabytes */
const lines = (count: number, indent = '') => `getenv: 'true'
${indent}request_cpus: ${count}
${indent}request_disk: 1GB
${indent}request_gpus: 0
${indent}request_memory: ${count}GB
${indent}universe: vanilla`

/** With the template `two_cpus` that the tutorial adds. */
const config = (group: string) => `htcondor:
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

describe.skipIf(noBox)('the tutorial of the older program', () => {
  let project: ClusterProject

  /** Types a line, which does well. @returns what it prints */
  const types = async (line: string) => {
    const { code, stdout, stderr } = await project.qanat(...splitWords(line).slice(1))
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)])
    return stdout
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

  beforeAll(async () => {
    // The first job of HTCondor is the first one of the tutorial.
    stopBox()
    startBox()
    const folder = sharedFolder('iris_mnist')
    // "We also assume python executable is called with alias python."
    project = new ClusterProject(folder, { PATH: `${dirname(folder)}/bin:/usr/local/bin:/usr/bin:/bin` })
    await project.command('sh', '-c', 'mkdir ../bin; ln -s /usr/bin/python3 ../bin/python')
    await types('qanat init . --yes')
    const example = new URL('../../examples/iris/', import.meta.url)
    for (const name of ['iris.py', 'plot.py'])
      cpSync(new URL(`${scripts}/${name}`, example), project.path(scripts, name))
    cpSync(new URL('data/iris.csv', example), project.path('data/iris/iris.csv'))
    project.write(`${scripts}/iris.sh`, bashScript)
    project.write('data/iris.yaml', dataset)
    project.write('experiments_details/summary_statistics_iris.yaml', experiment)
    project.write('htcondor_template.yaml', `+WishedAcctGroup: group_usmb.listic\n${lines(1)}\n`)
    await project.commit('Follow the tutorial')
    await types('qanat dataset new data/iris.yaml --yes')
    await types('qanat experiment new -f experiments_details/summary_statistics_iris.yaml')
    await types('qanat experiment run summary_iris')
    expect(project.read('results/summary_iris/run_1/summary.json')).toContain('median')
  })

  test('runs it on HTCondor with a template in a file, and with one of the settings', async () => {
    const line = 'qanat run --runner htcondor summary_iris --submit_template'
    expect(await types(`${line} htcondor_template.yaml`)).toContain('HTCondor cluster 1')
    expect(await ended(2)).toMatchObject({ status: 'finished', runner: 'htcondor' })
    // The tutorial has the quotes in the wrong order here.
    project.write('.qanat/config.yaml', config(`'"group_usmb.listic'"`))
    const refused = await project.qanat(...splitWords(`${line} two_cpus`).slice(1))
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^Error: \.qanat\/config\.yaml:11:/)])
    project.write('.qanat/config.yaml', config(`'"group_usmb.listic"'`))
    await types(`${line} two_cpus`)
    expect(await ended(3)).toMatchObject({ status: 'finished', runner_params: { submit_template: 'two_cpus' } })
    // The history has a job a little later than its log.
    const asked = () => project.command('condor_history', '2', '-af', 'RequestCpus', 'WishedAcctGroup')
    await until(async () => (await asked()).stdout === '2 group_usmb.listic\n')
  })

  test('runs groups of parameters and ranges on HTCondor, and the same on Slurm', async () => {
    const grid = `summary_iris -g "--bins 5" -g "--bins 20" -R "--seed 0 2 1"`
    expect(await types(`qanat run --runner htcondor ${grid}`)).toContain('4 groups → HTCondor cluster 3')
    expect(await types(`qanat run --runner slurm ${grid}`)).toMatch(/4 groups → Slurm job \d+/)
    await types('qanat run --runner slurm summary_iris --submit_template default')
    for (const [id, finished] of [[4, 4] as const, [5, 4] as const, [6, 1] as const])
      expect(await ended(id)).toMatchObject({ status: 'finished', groups: { finished } })
    for (const id of [4, 5]) expect(project.read(`results/summary_iris/run_${id}/group_3/histograms.json`)).not.toBe('')
    await types('qanat experiment action summary_iris plot 5')
    expect(project.read('results/summary_iris/run_5/group_0/histograms.svg')).toContain('<svg')
  })
})
