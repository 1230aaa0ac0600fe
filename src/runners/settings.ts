import { relative } from 'node:path'
import type { Container } from '../domain/container.js'
import { askedOf, type JobEnvironment, type Pack } from '../domain/job-environment.js'
import { gpuCount } from '../domain/packs/pack.js'
import { secretFolder, secretKey } from '../domain/pods/manifest.js'
import { pouredWord } from '../domain/pods/poured.js'
import { type CopiedCode, launchedCount, planPlaceWidth, type RunPlan } from '../domain/runs/run-plan.js'
import { groupTaken, launchFailed } from '../domain/runs/verdicts.js'
import { displayCommand, expandableWord, newlineVariable, quoteWord } from '../domain/text/shell-text.js'
import { packJournal, slotName } from '../runfolder/layout.js'
import environment from './environment.sh?raw'
import type { DealtGpus } from './gpus.js'
import interpreter from './interpreter.sh?raw'
import listing from './listing.sh?raw'
import packages from './packages.sh?raw'
import type { DescribedPlan } from './types.js'
import { differByGroup, groupVariableLines, variableLines } from './variables.js'

/** Text of the script that records the environment of groups. */
export const environmentText = [interpreter, packages, listing, environment].join('')

/**
 * Text of `settings.sh`, which job.sh reads: everything that differs between launches, as variables and a few functions.
 * Every word of the user is quoted. The shell lines of a template are quoted, too, and evaluated by job.sh when they are
 * due: a mistake in them makes a group fail, not the script around it. The values of variables are read back for a rerun.
 */
export function settingsText(plan: RunPlan): string {
  const { environment, container } = plan
  const isolated = needsOwnShell(environment)
  const lines = [
    `# Settings of job.sh for launch ${plan.attempt} of run ${plan.runId} of ${plan.experiment}.`,
    `umask ${plan.umask.toString(8).padStart(3, '0')}`,
    `${newlineVariable}='\n'`,
    ...exports(plan),
    `qanat_run=${quoteWord(plan.place.there)}`,
    `qanat_attempt=${plan.attempt} qanat_folders=${flag(plan.groupCount > 1)}`,
    `qanat_directory=${quoteWord(plan.workingDirectory)}`,
    ...nearSettings(plan),
    `qanat_launch_failed=${launchFailed} qanat_group_taken=${groupTaken} qanat_place_width=${planPlaceWidth}`,
    `qanat_secrets='${Object.keys(environment.secrets).join(' ')}'`,
    `qanat_parts='${scriptParts(plan).join(' ')}' qanat_measures=${flag(descendFromShell(plan))}`,
    // Otherwise a setup or a container may change which program this is.
    ...(isolated || container ? [] : [`qanat_program=${commandWords(plan)[0]}`]),
    ...(isolated ? templateSettings(environment) : []),
    ...(container ? containerSettings(container, plan.token) : []),
    ...(plan.copied === null ? [] : copySettings(plan.copied)),
    ...(plan.storage === null ? [] : [`qanat_storage=${quoteWord(plan.storage)}`]),
    ...(plan.maxFailures === null ? [] : [`qanat_max_failures=${plan.maxFailures}`]),
    ...outputSettings(plan.outputs),
    commandFunction(plan),
    descriptionFunction(plan),
  ]
  return `${lines.join('\n')}\n`
}

/** Further lines of `settings.sh` for a pool. The name of a journal is that of its attempt, and the number of its slot. */
export function poolSettings(plan: RunPlan, dealt?: DealtGpus): string {
  const total = launchedCount(plan)
  const { time, memory } = askedOf(plan.environment.resources)
  return [
    `qanat_parts="$qanat_parts pool${dealt ? ' gpus' : ''}"`,
    ...(dealt ? gpuSettings(dealt) : []),
    `qanat_slots=${Math.min(plan.slots ?? 1, total)} qanat_total=${total} qanat_whole=${flag(plan.indices === null)}`,
    `qanat_journals=${slotName(plan.attempt, '')}`,
    `qanat_time_limit='${time ?? ''}' qanat_memory_limit='${memory ?? ''}'\n`,
  ].join('\n')
}

/**
 * The same for a pool in a job of a scheduler, which limits the memory of all its groups together.
 * @param time seconds that the job has; null if it asks for none
 */
export function packSettings(plan: RunPlan, { slots }: Pack, time: number | null): string {
  const { resources } = plan.environment
  return [
    'qanat_parts="$qanat_parts pool pack"',
    `qanat_slots=${slots} qanat_whole=${flag(plan.indices === null)} qanat_gpus=${gpuCount(resources.gpus)}`,
    `qanat_journals=${packJournal(plan.attempt)}`,
    `qanat_time_limit='${askedOf(resources).time ?? ''}' qanat_memory_limit='' qanat_job_time='${time ?? ''}'\n`,
  ].join('\n')
}

/**
 * The same for a pool of one worker in a pod, which limits the memory of its groups.
 * @param share whether the pods of the launch share a volume; otherwise paths are told from the root of the project
 */
export function podSettings(plan: RunPlan, share: boolean): string {
  const { time } = askedOf(plan.environment.resources)
  const pours = share ? [] : [`qanat_pour_word=${pouredWord(plan.token)} qanat_root=${quoteWord(plan.projectRoot)}`]
  return [
    `qanat_secret_file=${secretFolder}/${secretKey}`,
    `qanat_parts="$qanat_parts pool pod${share ? '' : ' pour'}"`,
    ...pours,
    `qanat_slots=1 qanat_total=${launchedCount(plan)} qanat_whole=${flag(plan.indices === null && share)}`,
    `qanat_journals=${slotName(plan.attempt, '')}`,
    `qanat_time_limit='${time ?? ''}' qanat_memory_limit=''\n`,
  ].join('\n')
}

function gpuSettings({ variable, devices, count, shares }: DealtGpus): string[] {
  return [
    `qanat_gpu_variable=${variable} qanat_gpu_devices=${quoteWord(devices.join(' '))}`,
    `qanat_gpus=${count} qanat_gpu_shares=${shares ?? "''"}`,
  ]
}

/** If the project is moved, the folder of the run stays where it is as seen from the working directory. */
function nearSettings({ projectRoot, workingDirectory, place: { there } }: RunPlan): string[] {
  const isInside = [workingDirectory, there].every(path => `${path}/`.startsWith(`${projectRoot}/`))
  return isInside ? [`qanat_near=${quoteWord(relative(workingDirectory, there))}`] : []
}

/** The parts of the job script that a launch needs in addition to job.sh. */
export function scriptParts({
  container,
  environment,
  maxFailures,
  copied,
  storage,
}: RunPlan): ('container' | 'template' | 'failures' | 'frozen' | 'storage')[] {
  return [
    ...(container ? ['container' as const] : []),
    ...(needsOwnShell(environment) ? ['template' as const] : []),
    ...(maxFailures === null ? [] : ['failures' as const]),
    ...(copied === null ? [] : ['frozen' as const]),
    ...(storage === null ? [] : ['storage' as const]),
  ]
}

/** Whether the processes of a group descend from its shell: a launcher or a daemon may start them elsewhere. */
function descendFromShell({ container, environment }: RunPlan): boolean {
  return environment.launcher.length === 0 && container?.kind !== 'docker'
}

/**
 * A script that prints what environment.sh finds on this machine, as far as it can be known without running a group: nothing
 * about software that is in a container, or that shell lines of a template make available.
 * @param places see {@link Runner.environmentNow}
 */
export function environmentScript(plan: DescribedPlan, places: string) {
  const { container, environment, executable, executableCommand, projectRoot } = plan
  const isHidden = container !== null || needsOwnShell(environment)
  const words = [flag(isHidden), quoteWord(places), quoteWord(executable), ...executableCommand.map(expandableWord)]
  return { script: `cd ${quoteWord(projectRoot)} || exit\nset -- now ${words.join(' ')}\n${environmentText}`, isHidden }
}

/** True if a template has shell lines: their effects must not reach the next group, so each group gets its own shell. */
function needsOwnShell(environment: JobEnvironment): boolean {
  const { modules, afterModules, conda, venv, setup, teardown, background, scratch, env } = environment
  const hasLines = modules.length || afterModules || conda || venv || setup || teardown || background.length || scratch
  return Boolean(hasLines) || differByGroup(env)
}

function copySettings({ repository, copy, python, programs }: CopiedCode): string[] {
  return [
    `qanat_live=${quoteWord(repository)} qanat_copy=${quoteWord(copy)}`,
    `qanat_python=${quoteWord(python)} qanat_programs=${quoteWord(programs.join(':'))}`,
  ]
}

function exports(plan: RunPlan): string[] {
  const own = { QANAT_RUN_ID: String(plan.runId), QANAT_COMMIT: plan.commit, QANAT_PROJECT: plan.projectRoot }
  const { env } = plan.environment
  const ofCopy = Object.entries(plan.copied?.variables ?? {}).filter(([name]) => !Object.hasOwn(env, name))
  return variableLines({ ...Object.fromEntries(ofCopy), ...own }, env)
}

function templateSettings(environment: JobEnvironment): string[] {
  const { modules, teardown, background, scratch } = environment
  const shell = environment.shell.length > 0 ? environment.shell.map(expandableWord).join(' ') : '"${BASH:-sh}"'
  const tasks = background.map((task, number) => `qanat_start_task ${number} ${quoteLines(task)}`)
  return [
    `qanat_modules=${flag(modules.length > 0)} qanat_wants_scratch=${flag(scratch)}`,
    `qanat_setup=${quoteLines(setupLines(environment))}`,
    `qanat_teardown=${quoteLines(teardown)}`,
    `qanat_shell() { qanat_start_shell ${shell} "$@"; }`,
    `qanat_start_tasks() {\n${[...tasks, ':'].join('\n')}\n}`,
  ]
}

/** The value of a flag variable: not empty for true. */
function flag(holds: boolean): string {
  return holds ? '1' : "''"
}

/** The shell lines of a template that run before the script, each under `set -e`. */
function setupLines({ env, modules, afterModules, conda, venv, setup }: JobEnvironment): string {
  const lines = [
    groupVariableLines(env),
    modules.length > 0 ? `module load ${modules.map(quoteWord).join(' ')}` : '',
    afterModules,
    conda ? `qanat_find_conda\neval "$("$qanat_conda" shell.posix hook)"\nconda activate ${expandableWord(conda)}` : '',
    venv ? `. ${expandableWord(`${venv}/bin/activate`)}` : '',
    setup,
  ]
  return lines.filter(line => line !== '').join('\n')
}

/** Quotes a text of several lines as one shell word that keeps the lines readable. */
function quoteLines(text: string): string {
  return displayCommand([text])
}

function containerSettings({ kind, image }: Container, token: string): string[] {
  return [
    `qanat_container=${kind} qanat_image=${quoteWord(image)} qanat_container_prefix=${quoteWord(`qanat-${token}-`)}`,
  ]
}

/** The shell function that completes a group's arguments to the whole command, and passes it to job.sh. */
function commandFunction(plan: RunPlan): string {
  const pathWord = (option: string | null, path: string) =>
    option === null ? [] : [`${quoteWord(option)}${option.endsWith('=') ? '' : ' '}${path}`]
  const datasets = plan.datasetPaths.flatMap(path => pathWord(plan.datasetOption, quoteWord(path)))
  const added = plan.environment.arguments.map(expandableWord)
  const words = [
    ...commandWords(plan),
    '"$@"',
    ...added,
    ...pathWord(plan.storageOption, '"$qanat_folder"'),
    ...datasets,
  ]
  return `qanat_command() { qanat_start ${words.join(' ')}; }`
}

/** The shell function that says what runs the script, for the record of the environment. */
function descriptionFunction({ container, environment, executable, executableCommand }: RunPlan): string {
  const starter = container ? 'container' : environment.launcher.length > 0 ? 'launcher' : "''"
  const words = [starter, quoteWord(executable), ...executableCommand.map(expandableWord)]
  return `qanat_describe() { qanat_start_note ${words.join(' ')}; }`
}

/** A function that checks whether every output is there; only `*` and `?` in their patterns are special to the shell. */
function outputSettings(outputs: readonly string[]): string[] {
  const words = (pattern: string) =>
    pattern
      .split(/([*?]+)/)
      .map((part, at) => (at % 2 === 1 || part === '' ? part : quoteWord(part)))
      .join('')
  const checks = outputs.map(pattern => `qanat_expect ${quoteWord(pattern)} "$qanat_folder"/${words(pattern)}`)
  return outputs.length === 0 ? [] : [`qanat_outputs=qanat_check`, `qanat_check() {\n${checks.join('\n')}\n}`]
}

/** Shell words of nice, the launcher, the container, the executable command and the script. */
function commandWords(plan: RunPlan): string[] {
  const { environment, executableCommand, executable } = plan
  return [
    ...(environment.nice === null ? [] : ['nice', '-n', String(environment.nice)]),
    ...environment.launcher.map(expandableWord),
    ...containerWords(plan),
    ...executableCommand.map(expandableWord),
    quoteWord(executable),
  ]
}

/** The variables QANAT_… of a group. */
const groupVariables = ['RUN_ID', 'COMMIT', 'PROJECT', 'GROUP_INDEX', 'STORAGE_PATH', 'SCRATCH'].map(
  name => `QANAT_${name}`,
)

/**
 * Shell words in front of a command that make it run in the plan's container; empty without a container. The project,
 * the run and the datasets have the same paths inside, and the working folder is the same.
 */
function containerWords({ container, boundPaths, environment, workingDirectory }: RunPlan): string[] {
  if (!container) return []
  const image = quoteWord(container.image)
  const folder = quoteWord(workingDirectory)
  if (container.kind === 'apptainer') {
    const gpu = container.gpu ? ['--nv'] : []
    const binds = boundPaths.map(path => `--bind ${quoteWord(path)}`)
    return ['"$qanat_engine" --quiet "$qanat_verb"', ...gpu, ...binds, `--pwd ${folder}`, image]
  }
  const gpu = container.gpu ? ['--gpus "${qanat_docker_gpus:-all}"'] : []
  const binds = boundPaths.map(path => `--volume ${quoteWord(`${path}:${path}`)}`)
  return [
    '"$qanat_engine" run --rm --name "$qanat_container_name" ${qanat_user:+"$qanat_user"}',
    // The engine takes the values from its own environment, so that they appear neither on its command line nor in a file.
    ...[...groupVariables, ...Object.keys(environment.env), ...Object.keys(environment.secrets)].map(
      name => `--env ${name}`,
    ),
    ...gpu,
    ...binds,
    `--workdir ${folder}`,
    image,
  ]
}
