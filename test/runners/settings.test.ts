import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../src/domain/runs/run-plan.js'
import { readVariables } from '../../src/runfolder/secrets/variables.js'
import { settingsText } from '../../src/runners/settings.js'
import { cases } from '../cases.js'
import { anyWord, shells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { placeAt, plainEnvironment, planWith } from './plans.js'

describe.each(shells)('the settings as read by %s', shell => {
  /** The texts that the shell code prints once it has read the settings of a plan, each ended by NUL. */
  function printed(plan: RunPlan, code: string): string[] {
    const folder = folderWith({ 'settings.sh': settingsText(plan) })
    const show = 'show() { for qanat_word; do printf "%s\\0" "$qanat_word"; done; }'
    const script = `${show}\nqanat_start() { show "$@"; }\nqanat_start_task() { show "$2"; }\n. ${folder}/settings.sh\n${code}`
    // Without a level bash takes a socket as its standard input for a remote login, and reads the user's settings.
    const env = { PATH: process.env.PATH, SHLVL: '1' }
    const output = execFileSync(shell, ['-c', script], { encoding: 'utf8', env })
    return output.split('\0').slice(0, -1)
  }

  test('contain every text of the user unchanged', () => {
    const word = anyWord()
    const texts = fc.tuple(word, word, word, word, word, word, word, word)
    for (const [project, folder, any, setup, teardown, task, data, image] of fc.sample(texts, cases(40))) {
      const variable = any.replace(/\$+(?=[\w{])|^~/g, '')
      const plan = planWith({
        ...{ projectRoot: project, workingDirectory: folder, place: placeAt(data), executable: task },
        datasetPaths: [data, image],
        environment: { ...plainEnvironment, env: { VARIABLE: variable }, setup, teardown, background: [task] },
      })
      const code = `show "$QANAT_PROJECT" "$qanat_directory" "$qanat_run" "$VARIABLE" "$qanat_setup" "$qanat_teardown"
        qanat_start_tasks
        qanat_folder='my folder'
        qanat_command "it's" '$HOME'`
      const command = ['sh', task, "it's", '$HOME', '--storage_path', 'my folder']
      const datasets = ['--dataset_path', data, '--dataset_path', image]
      const own = [project, folder, data, variable, setup, teardown, task]
      expect(printed(plan, code)).toEqual([...own, ...command, ...datasets])
    }
  })

  test('contain all words of a command: launcher, container with its folders, script and arguments', () => {
    const plan = planWith({
      workingDirectory: '/my code',
      boundPaths: ['/my data', '/$HOME'],
      container: { image: '/my image.sif', kind: 'apptainer', gpu: true, digest: null },
      environment: { ...plainEnvironment, launcher: ['srun', '$OPTIONS'], arguments: ['$OPTIONS/a  b', "it's"] },
    })
    const code = `qanat_engine=singularity qanat_verb=exec OPTIONS='-n 2' qanat_folder=/f\nqanat_command`
    const binds = ['--bind', '/my data', '--bind', '/$HOME', '--pwd', '/my code']
    expect(printed(plan, code)).toEqual([
      ...['srun', '-n 2', 'singularity', '--quiet', 'exec', '--nv', ...binds, '/my image.sif'],
      ...['sh', 'it.sh', '-n 2/a  b', "it's", '--storage_path', '/f'],
    ])
  })

  test.each([
    ['of an ordinary user', '--user=1000:1000', ['--user=1000:1000']],
    ['of root in Podman', '', []],
  ])('contain the words for Docker, %s', (_, user, words) => {
    const container = { image: 'pytorch', kind: 'docker', gpu: true, digest: null } as const
    const environment = { ...plainEnvironment, env: { COLOUR: 'red' } }
    const plan = planWith({ workingDirectory: '/my code', boundPaths: ['/my data'], container, environment })
    const names = ['RUN_ID', 'COMMIT', 'PROJECT', 'GROUP_INDEX', 'STORAGE_PATH', 'SCRATCH'].map(name => `QANAT_${name}`)
    const code = `qanat_engine=podman qanat_container_name=$qanat_container_prefix'0' qanat_user=${user}
      qanat_folder=/f\nqanat_command`
    expect(printed(plan, code)).toEqual([
      ...['podman', 'run', '--rm', '--name', 'qanat-a-token-0', ...words],
      ...[...names, 'COLOUR'].flatMap(name => ['--env', name]),
      ...['--gpus', 'all'],
      ...['--volume', '/my data:/my data', '--workdir', '/my code', 'pytorch', 'sh', 'it.sh', '--storage_path', '/f'],
    ])
  })
})

test('the values of variables are read back as they were, not as shell lines export them', () => {
  const name = fc.stringMatching(/^[A-PR-Z_]\w{0,8}$/)
  fc.assert(
    fc.property(fc.dictionary(name, anyWord(), { minKeys: 1, noNullPrototype: true }), env => {
      const setup = Object.keys(env).map(each => `export ${each}=other`)
      const environment = { ...plainEnvironment, env, setup: setup.join('\n') }
      const folder = folderWith({ '.run/settings.sh': settingsText(planWith({ environment })) })
      expect(readVariables(folder, 1, Object.keys(env))).toEqual(env)
    }),
    { numRuns: cases(200) },
  )
})
