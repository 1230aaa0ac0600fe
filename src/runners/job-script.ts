import type { JobEnvironment } from '../domain/job-environment.js'
import type { RunPlan } from '../domain/runs/run-plan.js'
import { expandableWord, newlineVariable, quoteWord } from '../domain/text/shell-text.js'
import { containerFunctions, containerWords } from './container-script.js'
import { mainIsolated, mainShared } from './job-script-modes.js'

/**
 * The script that runs groups, the same under every runner; it needs sh and coreutils.
 *
 *     job.sh work JOURNAL HOST - 0                 takes groups from standard input, a line `INDEX INFO ARGUMENT…` each,
 *                                                  unless another shell has taken them already; answers an empty line
 *                                                  to a line `free`. Without INFO group_info.yaml is there already
 *     job.sh task JOURNAL HOST JOB RESTARTS INDEX  runs that group of the plan as a job of a scheduler, unless another
 *                                                  job has taken it, and exits with the group's code
 *     job.sh one JOURNAL HOST JOB RESTARTS INDEX INFO …  runs one group, and exits 100 once its end is recorded
 *
 * A group is a process group of its own and is waited for in the background, so that the traps act at once.
 * Its end is one appended line (see domain/group-record), which outlives every other process of the run.
 *
 * @returns the text of the script, whose length does not depend on the number of groups
 */
export function jobScript(plan: RunPlan): string {
  const isolated = needsOwnShell(plan.environment)
  return [
    header(plan, isolated),
    helpers,
    isolated ? surroundings(plan.environment) : '',
    groupFunction(plan, isolated),
    containerFunctions(plan),
    finishFunction(plan, isolated),
    isolated ? mainIsolated(plan.environment) : mainShared,
  ]
    .filter(text => text !== '')
    .join('\n')
}

/** True where a template's own shell lines run around each group: it must not inherit those of the one before. */
function needsOwnShell(environment: JobEnvironment): boolean {
  const { modules, conda, venv, setup, teardown, background, scratch } = environment
  return Boolean(modules.length || conda || venv || setup || teardown || background.length || scratch)
}

function header(plan: RunPlan, isolated: boolean): string {
  const variables = {
    ...plan.environment.env,
    QANAT_RUN_ID: String(plan.runId),
    QANAT_COMMIT: plan.commit,
    QANAT_PROJECT: plan.projectRoot,
  }
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteWord(value)}`)
  return `#!/bin/sh
# Runs the groups of run ${plan.runId} of ${plan.experiment}.
umask ${plan.umask.toString(8).padStart(3, '0')}
${newlineVariable}='
'
${exports.join('\n')}
qanat_run=${quoteWord(plan.storagePath)}
qanat_mode=$1 qanat_journal=$2 qanat_host=$3 qanat_job=$4 qanat_restarts=$5 qanat_attempt=${plan.attempt}
qanat_stopped= qanat_signalled= qanat_pid= qanat_at_work= qanat_scratch= qanat_tasks=
shift 5
${
  isolated || plan.container
    ? ''
    : `# Found once: each group would look through the whole PATH.
hash ${callWords(plan)[0]} 2>/dev/null
`
}cd ${quoteWord(plan.workingDirectory)} && qanat_at_work=1
`
}

/** Told to end, or that the time limit is near; other signals are for the script. */
const signalHelpers = `qanat_stop() {
  qanat_stopped=$1 qanat_signalled=1
  if [ -n "$qanat_pid" ]; then qanat_end_group "$2"
  elif [ "$qanat_mode" = one ]; then exit 143
  fi
}
qanat_end_group() { qanat_signal_group TERM "$qanat_pid"; }
qanat_pass_on() {
  qanat_signalled=1
  [ -z "$qanat_pid" ] || qanat_signal_group "$1" "$qanat_pid"
}
qanat_traps() {
  trap 'qanat_stop stopped TERM' TERM INT HUP
  trap 'qanat_stop timeout URG' URG
  trap 'qanat_pass_on USR1' USR1
  trap 'qanat_pass_on USR2' USR2
}
qanat_traps
`

const helpers = `qanat_ifs=$IFS
# From here on what is started in the background is a process group of its own: bash can do that by itself.
qanat_own_group=
qanat_use_groups() {
  if [ -n "$BASH_VERSION" ]; then set -m
  elif command -v setsid >/dev/null 2>&1; then qanat_own_group=setsid
  fi
}

# Bash has the time itself; GNU's date knows parts of a second, others print the letters.
qanat_clock() {
  qanat_now=\${EPOCHREALTIME:-$(date +%s.%N)}
  case $qanat_now in *[!0-9.,]*) qanat_now=$(date +%s) ;; esac
}

qanat_record() { printf '1 %s\\n' "$*" >>"$qanat_journal"; }

qanat_signal_group() { kill "-$1" "-$2" 2>/dev/null || kill "-$1" "$2" 2>/dev/null; }

# A signal ends 'wait' early, then the code is not the group's: wait again (127 says that it was).
qanat_await() {
  wait "$1"
  qanat_code=$?
  while [ -n "$qanat_signalled" ]; do
    qanat_signalled=
    wait "$1"
    qanat_again=$?
    [ "$qanat_again" = 127 ] || qanat_code=$qanat_again
  done
}

${signalHelpers}`

/** Shell lines that run around a group: background tasks, and where warnings go. */
function surroundings(environment: JobEnvironment): string {
  const start = environment.background.map((task, number) => `  qanat_start_task ${number} ${quoteWord(task)}`)
  return `qanat_warn() { printf 'group %s: %s\\n' "$qanat_index" "$*" >>"$qanat_run/.run/warnings.txt"; }

# The template's lines may have changed how this shell behaves.
qanat_own_settings() {
  set +eu
  IFS=$qanat_ifs
}

qanat_start_task() {
  mkdir -p "$qanat_run/.run/background"
  $qanat_own_group "\${BASH:-sh}" -c "$2" >"$qanat_run/.run/background/$qanat_index.$1.txt" 2>&1 &
  qanat_tasks="$qanat_tasks $!"
}

qanat_start_tasks() {
${start.join('\n') || '  :'}
}

# Some seconds to end by itself, then it is made to.
qanat_end_task() {
  qanat_signal_group TERM "$1"
  $qanat_own_group sh -c 'sleep 5; kill -KILL "-$1" 2>/dev/null || kill -KILL "$1"' sh "$1" >/dev/null 2>&1 &
  qanat_reminder=$!
  wait "$1"
  qanat_signal_group KILL "$1"
  qanat_signal_group KILL "$qanat_reminder"
  wait "$qanat_reminder"
}

qanat_end_tasks() {
  for qanat_task in $qanat_tasks; do
    if kill -0 "$qanat_task" 2>/dev/null; then qanat_end_task "$qanat_task"
    else
      wait "$qanat_task" || qanat_warn "a background task ended with code $?"
    fi
  done
}
`
}

function groupFunction(plan: RunPlan, isolated: boolean): string {
  const { environment } = plan
  const datasets = plan.datasetPaths.map(path => `--dataset_path ${quoteWord(path)}`)
  const command = [...callWords(plan), '"$@"', '--storage_path "$qanat_folder"', ...datasets].join(' ')
  const start = (pid: string) =>
    `qanat_record start "$qanat_index" "$qanat_attempt" "${pid}" "$qanat_started" "$qanat_host" "$qanat_job" "$qanat_restarts"`
  const streams = '</dev/null >>"$qanat_folder/stdout.txt" 2>>"$qanat_folder/stderr.txt" &\n  qanat_pid=$!'
  // The process of the group records its own start: killed in between, this shell would leave a group that nobody knows.
  // What /proc says of it costs no process, but macOS has none. A shell of its own has recorded the start already, and
  // its setup may have made the command a function.
  const run = isolated
    ? `$qanat_own_group ${command} ${streams}\n  ${start('$qanat_pid')}`
    : `{
    if [ -r /proc/self/stat ]; then read -r qanat_own qanat_rest </proc/self/stat
    else qanat_own=$(exec sh -c 'echo "$PPID"'); fi
    ${start('$qanat_own')}
    exec $qanat_own_group ${command}
  } ${streams}`
  const enter = plan.container ? '  qanat_enter </dev/null 2>>"$qanat_folder/stderr.txt" || return\n' : ''
  return `qanat_folder_of() { qanat_folder=${plan.groupCount === 1 ? '$qanat_run' : '$qanat_run/group_$1'}; }

qanat_group() {
  qanat_index=$1 qanat_info=$2 qanat_code=1 qanat_outcome=launch
  qanat_folder_of "$1"
  shift 2
  qanat_clock
  qanat_started=$qanat_now
  export QANAT_GROUP_INDEX="$qanat_index" QANAT_STORAGE_PATH="$qanat_folder"
  [ -d "$qanat_folder" ] || mkdir -p "$qanat_folder" || return
  [ -z "$qanat_info" ] || printf '%s' "$qanat_info" >"$qanat_folder/group_info.yaml" || return
  [ -n "$qanat_at_work" ] || return
${isolated ? prologue(environment) : ''}${enter}  ${run}
  # Told to end just before there was a process to pass it on to.
  [ -z "$qanat_stopped" ] || qanat_signal_group TERM "$qanat_pid"
  qanat_outcome=exit
  qanat_await "$qanat_pid"
  qanat_signal_group KILL "$qanat_pid"
  qanat_pid=
}
`
}

/** Shell words of what calls the script, and the script. */
function callWords(plan: RunPlan): string[] {
  const { environment, executableCommand, executable } = plan
  return [
    ...environment.launcher.map(expandableWord),
    ...containerWords(plan),
    ...executableCommand.map(expandableWord),
    quoteWord(executable),
  ]
}

/** Everything before the script of a template that has shell lines; the first failing one ends the group. */
function prologue(environment: JobEnvironment): string {
  const { modules, conda, venv, setup, scratch } = environment
  const lines = [
    'exec </dev/null >>"$qanat_folder/stdout.txt" 2>>"$qanat_folder/stderr.txt"',
    'qanat_record start "$qanat_index" "$qanat_attempt" $$ "$qanat_started" "$qanat_host" "$qanat_job" "$qanat_restarts"',
    modules.length > 0 ? findModuleCommand : '',
    'set -e',
    scratch ? 'qanat_scratch=$(mktemp -d "${TMPDIR:-/tmp}/qanat.XXXXXX")\nexport QANAT_SCRATCH="$qanat_scratch"' : '',
    modules.length > 0 ? `module load ${modules.map(quoteWord).join(' ')}` : '',
    conda ? `eval "$("\${CONDA_EXE:-conda}" shell.posix hook)"\nconda activate ${quoteWord(conda)}` : '',
    venv ? `. ${expandableWord(`${venv}/bin/activate`)}` : '',
    setup ? setup.trimEnd() : '',
    'qanat_own_settings',
    "trap 'qanat_finish; exit 100' EXIT",
    'qanat_traps',
    'qanat_use_groups',
    'qanat_start_tasks',
  ]
  return `${lines.filter(line => line !== '').join('\n')}\n`
}

/** Environment modules are a shell function that login shells define; a batch shell has to look for it. */
const findModuleCommand = `for qanat_file in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /etc/profile.d/z00_lmod.sh; do
  command -v module >/dev/null 2>&1 || [ ! -r "$qanat_file" ] || . "$qanat_file"
done`

function finishFunction({ environment, container }: RunPlan, isolated: boolean): string {
  const { teardown, scratch } = environment
  const ends = [
    container ? 'qanat_leave' : '',
    isolated
      ? "trap - EXIT\n  trap '' TERM INT HUP URG USR1 USR2\n  qanat_own_settings\n  qanat_end_tasks 2>/dev/null"
      : '',
    teardown ? `(\n${teardown.trimEnd()}\n) || qanat_warn "the teardown ended with code $?"` : '',
    scratch ? '[ -z "$qanat_scratch" ] || rm -rf -- "$qanat_scratch"' : '',
  ].filter(text => text !== '')
  return `qanat_finish() {
  qanat_outcome=\${qanat_stopped:-$qanat_outcome}
${ends.map(text => `  ${text}\n`).join('')}  qanat_clock
  qanat_record end "$qanat_index" "$qanat_attempt" "$qanat_code" "$qanat_outcome" "$qanat_started" "$qanat_now" "$qanat_host" "$qanat_job" "$qanat_restarts"
}
`
}
