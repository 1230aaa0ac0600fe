import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Folder, shellProject } from './e2e/project.js'

const scripts = 'examples/iris/experiments/summary_statistics'

function summarise(...options: string[]) {
  const { path: folder } = new Folder()
  const command = [`${scripts}/iris.py`, '--storage_path', folder, '--dataset_path', 'examples/iris/data', ...options]
  const { status, stderr } = spawnSync('python3', command, { encoding: 'utf8' })
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return { folder, status, stderr, read }
}

describe('the Iris example', () => {
  test('ships the 150 rows that Fisher published', () => {
    const rows = readFileSync('examples/iris/data/iris.csv', 'utf8').trim().split('\n').slice(1)
    const species = rows.map(row => row.split(',')[4])
    expect(rows).toHaveLength(150)
    for (const name of ['setosa', 'versicolor', 'virginica']) expect(species.filter(s => s === name)).toHaveLength(50)
    // The row that the widespread copy of the UCI repository has wrong.
    expect(rows[34]).toBe('4.9,3.1,1.5,0.2,setosa')
  })

  test('computes the known figures', () => {
    const text = JSON.stringify(summarise().read('summary.json'))
    for (const mean of ['5.8433', '3.0573', '3.758', '1.1993', '0.9628']) expect(text).toContain(mean)
  })

  test('is repeatable for one seed and differs for another, and refuses an unknown species by name', () => {
    const first = summarise('--seed', '1').read('summary.json')
    expect(summarise('--seed', '1').read('summary.json')).toEqual(first)
    expect(summarise('--seed', '2').read('summary.json')).not.toEqual(first)
    expect(summarise('--species', 'rosa')).toMatchObject({ status: 1, stderr: expect.stringContaining('rosa') })
  })

  test('draws a well-formed picture with a panel for each variable', () => {
    const { folder } = summarise()
    execFileSync('python3', [`${scripts}/plot.py`, '--storage_path', folder])
    const check = 'import sys, xml.etree.ElementTree as t; print("".join(t.parse(sys.argv[1]).getroot().itertext()))'
    const text = execFileSync('python3', ['-c', check, join(folder, 'histograms.svg')], { encoding: 'utf8' })
    for (const variable of ['sepal length', 'sepal width', 'petal length', 'petal width'])
      expect(text).toContain(variable)
  })
})

describe('the example templates', () => {
  async function dryRun(runner: string) {
    const folder = await shellProject()
    const template = resolve(`examples/templates/${runner}_gpu.yaml`)
    const { submit, submit_command } = await folder.json(
      ...['run', '--json', '--dry_run', '--runner', runner, '--submit_template', template, 'it', 'true'],
    )
    const text = (name: string) => submit.find(({ path }: { path: string }) => path.endsWith(name)).text as string
    return { text, command: submit_command as string[] }
  }

  test('ask Slurm for a GPU, a log, modules, a conda environment and checkpoints that are kept', async () => {
    const { text, command } = await dryRun('slurm')
    const options = ['--gres=gpu:a100:1', '--constraint=a100|h100', '--mem=0', '--mail-type=END,FAIL', '--export=ALL']
    const log = '--output=../results/%x/slurm-%j.out'
    expect(command).toEqual(expect.arrayContaining([...options, log, '--time=12:00:00', '--signal=B:URG@60']))
    expect(text('settings.sh')).toContain('module load cuda/12.4 cudnn/9.1')
    expect(text('settings.sh')).toContain('conda activate "training"')
    expect(text('settings.sh')).toContain('nvidia-smi dmon')
  })

  test('ask HTCondor for a GPU and an accounting group', async () => {
    const { text } = await dryRun('htcondor')
    const resources = ['request_gpus = 1', 'request_memory = 16G', '+QanatTimeLimit = 43200']
    const given = ['+WishedAcctGroup = "group_lab.vision"', 'getenv = PATH, HOME, LD_LIBRARY_PATH']
    expect(text('.sub').split('\n')).toEqual(expect.arrayContaining([...resources, ...given]))
  })
})
