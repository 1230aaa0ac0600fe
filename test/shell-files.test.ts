import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packFiles, podFiles, poolFiles } from '../src/runners/job-script.js'
import { startScript } from '../src/runners/scheduler/start-script.js'
import { folderWith } from './project/temporary.js'
import { plainEnvironment, planWith } from './runners/plans.js'
import { lacks, skips } from './skips.js'

const noShellcheck = skips('shell files', lacks('shellcheck'))

/** What shellcheck (apt-get install shellcheck) has against shell files; empty where it has nothing. */
function complaints(files: readonly string[], ...options: string[]): string {
  const { stdout, stderr, error } = spawnSync('shellcheck', [...options, ...files], { encoding: 'utf8' })
  if (error) throw error
  return stdout + stderr
}

/**
 * Shell files of the repository by their name or their first line; shellcheck does not know zsh and fish. What made a
 * fixture stays as it was then.
 */
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter(path => !path.startsWith('test/fixtures/'))
  .filter(path => /\.(sh|bash)$/.test(path) || /^#!.*\b(sh|bash)\n/.test(readFileSync(path, 'utf8').slice(0, 100)))

test.skipIf(noShellcheck)('shellcheck accepts every shell file but the job script', () => {
  expect(files).toContain('src/runners/job.sh')
  expect(files).toContain('bin/packaging/qanat')
  expect(complaints(files.filter(path => !path.startsWith('src/runners/')))).toBe('')
})

/** A plan that needs every part of the job script, with words that are hostile to shells. */
const plan = planWith({
  storage: "/lasting/it's $HOME",
  groupCount: 3,
  indices: [1, 2],
  maxFailures: 2,
  executableCommand: ['~/bin/python', '$OPTIONS'],
  datasetPaths: ["/data/it's"],
  container: { image: 'an image', kind: 'docker', gpu: true, digest: null },
  boundPaths: ['/my data'],
  environment: {
    ...plainEnvironment,
    env: { A: 'two\nlines' },
    setup: "echo 'not ours",
    background: ['exit $('],
    shell: ['bash', '-l'],
  },
})

const gpus = { variable: 'CUDA_VISIBLE_DEVICES', devices: ['GPU-0', 'GPU-1'], count: 0, shares: 2 } as const

/** The files of a launch by their names in its folder. */
function launchFiles(): (name: string) => string {
  const files = [...packFiles(plan, { groups: 2, slots: 2 }, null), ...podFiles(plan, false), ...poolFiles(plan, gpus)]
  const texts = files.map(({ path, text }) => [path.split('/').at(-1)!, [...text].join('')])
  const folder = folderWith(Object.fromEntries(texts))
  return name => join(folder, name)
}

test.skipIf(noShellcheck).each(['sh', 'bash'])(
  'shellcheck has nothing against the job script where %s runs it',
  shell => {
    const parts = [
      'job.sh',
      'container.sh',
      'template.sh',
      'failures.sh',
      'storage.sh',
      'pool.sh',
      'gpus.sh',
      'pack.sh',
      'pod.sh',
      'pour.sh',
      'environment.sh',
    ].map(launchFiles())
    expect(complaints(parts, '--shell', shell)).toBe('')
  },
)

test.skipIf(noShellcheck)('shellcheck accepts the files that a launch writes around the job script', () => {
  const file = launchFiles()
  // job.sh uses what the settings set, and evaluates what they quote.
  expect(complaints([file('settings.sh')], '--shell', 'sh', '--exclude', 'SC2016,SC2034,SC2154')).toBe('')
  const facts = 'node=n1 job=36_0 place=0'
  writeFileSync(file('start.sh'), startScript(plan, facts, 'restarts=0'))
  expect(complaints([file('start.sh')])).toBe('')
})
