import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunPlan } from '../../src/domain/runs/run-plan.js'
import { readVariables } from '../../src/runfolder/secrets/variables.js'
import { settingsText } from '../../src/runners/settings.js'
import { cases } from '../cases.js'
import { anyWord, shells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { plainEnvironment, planWith } from './plans.js'

test('the settings of a plain template', () => {
  const plan = planWith({
    groupCount: 2,
    datasetPaths: ['/data/my iris'],
    environment: { ...plainEnvironment, env: { A: '1' } },
  })
  expect(settingsText(plan)).toMatchInlineSnapshot(`
    "# Settings of job.sh for launch 1 of run 1 of it.
    umask 022
    QANAT_NEWLINE='
    '
    export A=1
    export QANAT_RUN_ID=1
    export QANAT_COMMIT=c0ffee
    export QANAT_PROJECT=/project
    qanat_run=/project/results/it/run_1
    qanat_attempt=1 qanat_folders=1
    qanat_directory=/project
    qanat_near=results/it/run_1
    qanat_launch_failed=125 qanat_group_taken=123 qanat_place_width=12
    qanat_secrets=''
    qanat_parts='' qanat_measures=1
    qanat_program="sh"
    qanat_command() { qanat_start "sh" it.sh "$@" --storage_path "$qanat_folder" --dataset_path '/data/my iris'; }
    qanat_describe() { qanat_start_note '' it.sh "sh"; }
    "
  `)
})

test('the settings of a template with shell lines', () => {
  const environment = {
    ...plainEnvironment,
    modules: ['cuda/12.4', 'gcc 13'],
    afterModules: 'source conda.sh',
    conda: 'my env',
    arguments: ['--to', '$QANAT_SCRATCH/a b', "it's"],
    setup: 'export A=1\necho "it\'s"\n',
    teardown: 'echo over',
    background: ['nvidia-smi dmon\nexit'],
    launcher: ['srun', '$OPTIONS'],
    scratch: true,
    shell: ['bash', '--norc'],
  }
  expect(settingsText(planWith({ attempt: 2, environment }))).toMatchInlineSnapshot(`
    "# Settings of job.sh for launch 2 of run 1 of it.
    umask 022
    QANAT_NEWLINE='
    '
    export QANAT_RUN_ID=1
    export QANAT_COMMIT=c0ffee
    export QANAT_PROJECT=/project
    qanat_run=/project/results/it/run_1
    qanat_attempt=2 qanat_folders=''
    qanat_directory=/project
    qanat_near=results/it/run_1
    qanat_launch_failed=125 qanat_group_taken=123 qanat_place_width=12
    qanat_secrets=''
    qanat_parts='template' qanat_measures=''
    qanat_modules=1 qanat_wants_scratch=1
    qanat_setup='module load cuda/12.4 '"'"'gcc 13'"'"'
    source conda.sh
    qanat_find_conda
    eval "$("$qanat_conda" shell.posix hook)"
    conda activate '"'"'my env'"'"'
    export A=1
    echo "it'"'"'s"
    '
    qanat_teardown='echo over'
    qanat_shell() { qanat_start_shell "bash" "--norc" "$@"; }
    qanat_start_tasks() {
    qanat_start_task 0 'nvidia-smi dmon
    exit'
    :
    }
    qanat_command() { qanat_start "srun" "$OPTIONS" "sh" it.sh "$@" "--to" "$QANAT_SCRATCH/a b" "it's" --storage_path "$qanat_folder"; }
    qanat_describe() { qanat_start_note '' it.sh "sh"; }
    "
  `)
})

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
    const texts = fc.array(anyWord(), { minLength: 8, maxLength: 8 })
    for (const [
      project = '',
      folder = '',
      variable = '',
      setup = '',
      teardown = '',
      task = '',
      data = '',
      image = '',
    ] of fc.sample(texts, cases(40))) {
      const plan = planWith({
        projectRoot: project,
        workingDirectory: folder,
        storagePath: data,
        executable: task,
        datasetPaths: [data, image],
        environment: {
          ...plainEnvironment,
          env: { VARIABLE: variable },
          setup,
          teardown,
          background: [task],
          scratch: true,
        },
      })
      const code = `show "$QANAT_PROJECT" "$qanat_directory" "$qanat_run" "$VARIABLE" "$qanat_setup" "$qanat_teardown"
        qanat_start_tasks
        qanat_folder='my folder'
        qanat_command "it's" '$HOME'`
      expect(printed(plan, code)).toEqual([
        ...[project, folder, data, variable, setup, teardown, task],
        ...[
          'sh',
          task,
          "it's",
          '$HOME',
          '--storage_path',
          'my folder',
          '--dataset_path',
          data,
          '--dataset_path',
          image,
        ],
      ])
    }
  })

  test('contain the words around the command: the launcher, the container with its folders, and the script', () => {
    const plan = planWith({
      workingDirectory: '/my code',
      boundPaths: ['/my data', '/$HOME'],
      container: { image: '/my image.sif', kind: 'apptainer', gpu: true, digest: null },
      environment: { ...plainEnvironment, launcher: ['srun', '$OPTIONS'] },
    })
    const code = `qanat_engine=singularity qanat_verb=exec OPTIONS='-n 2' qanat_folder=/f\nqanat_command`
    const binds = ['--bind', '/my data', '--bind', '/$HOME', '--pwd', '/my code']
    expect(printed(plan, code)).toEqual([
      ...['srun', '-n 2', 'singularity', '--quiet', 'exec', '--nv', ...binds, '/my image.sif'],
      ...['sh', 'it.sh', '--storage_path', '/f'],
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
