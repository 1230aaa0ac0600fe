import type { JobEnvironment } from '../domain/job-environment.js'
import type { RunPlan } from '../domain/run-plan.js'
import { expandableWord, newlineVariable, quoteWord } from '../domain/shell-text.js'

/**
 * The script that runs groups, the same under every runner; it needs sh and coreutils.
 *
 *     job.sh work JOURNAL HOST               takes groups from standard input, a line `INDEX INFO ARGUMENT…` each,
 *                                            and answers an empty line when it is free for the next
 *     job.sh one JOURNAL HOST INDEX INFO …   runs one group, and exits 0 once its end is recorded
 *
 * A group is a process group of its own and is waited for in the background, so that the traps act at once.
 * Its end is one appended line (see domain/group-record), which outlives every other process of the run.
 *
 * @returns the text of the script, whose length does not depend on the number of groups
 */
export function jobScript(plan: RunPlan): string {
  const isolated = needsOwnShell(plan.environment)
  return [
    header(plan),
    helpers,
    isolated ? surroundings(plan.environment) : '',
    groupFunction(plan, isolated),
    finishFunction(plan.environment, isolated),
    isolated ? mainIsolated(plan.environment) : mainShared,
  ]
    .filter(text => text !== '')
    .join('\n')
}

/** True where a template's own shell lines run around each group: it must not inherit those of the one before. */
export function needsOwnShell(environment: JobEnvironment): boolean {
  const { modules, conda, venv, setup, teardown, background, scratch } = environment
  return Boolean(modules.length || conda || venv || setup || teardown || background.length || scratch)
}

function header(plan: RunPlan): string {
  const variables = {
    QANAT_RUN_ID: String(plan.runId),
    QANAT_COMMIT: plan.commit,
    QANAT_PROJECT: plan.projectRoot,
    ...plan.environment.env,
  }
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteWord(value)}`)
  return `#!/bin/sh
# Runs the groups of run ${plan.runId} of ${plan.experiment}.
umask ${plan.umask.toString(8).padStart(3, '0')}
${newlineVariable}='
'
${exports.join('\n')}
run=${quoteWord(plan.storagePath)}
mode=$1 journal=$2 host=$3 job=- attempt=1
stopped= signalled= pid=
shift 3
`
}

const helpers = `if [ -n "$BASH_VERSION" ]; then set -m; own_group=
elif command -v setsid >/dev/null 2>&1; then own_group=setsid
else own_group=
fi

clock() { now=\${EPOCHREALTIME:-$(date +%s)}; }

record() { printf '1 %s\\n' "$*" >>"$journal"; }

signal_group() { kill "-$1" "-$2" 2>/dev/null || kill "-$1" "$2" 2>/dev/null; }

# A signal ends 'wait' early, then the code is not the group's: wait again (127 says that it was).
await() {
  wait "$1"
  code=$?
  while [ -n "$signalled" ]; do
    signalled=
    wait "$1"
    again=$?
    [ "$again" = 127 ] || code=$again
  done
}

stop() {
  stopped=1 signalled=1
  if [ -n "$pid" ]; then signal_group TERM "$pid"
  elif [ "$mode" = one ]; then exit 143
  fi
}
trap stop TERM INT HUP
`

/** Shell lines that run around a group: background tasks, and where warnings go. */
function surroundings(environment: JobEnvironment): string {
  const tasks = environment.background.map((task, number) => `task_${number}() {\n${task.trimEnd()}\n}\n`)
  const start = environment.background.map((_, number) => `  start_task task_${number}`)
  return `warn() { printf 'group %s: %s\\n' "$index" "$*" >>"$run/.run/warnings.txt"; }

${tasks.join('')}
start_task() {
  mkdir -p "$run/.run/background"
  "$1" >"$run/.run/background/$index.$1.txt" 2>&1 &
  tasks="$tasks $!"
}

start_tasks() {
  tasks=
${start.join('\n') || '  :'}
}

end_tasks() {
  for task in $tasks; do
    if kill -0 "$task" 2>/dev/null; then
      signal_group TERM "$task"
      wait "$task"
      signal_group KILL "$task"
    else
      wait "$task" || warn "a background task ended with code $?"
    fi
  done
}
`
}

function groupFunction(plan: RunPlan, isolated: boolean): string {
  const { environment } = plan
  const program = [...environment.launcher, ...plan.executableCommand].map(expandableWord)
  const datasets = plan.datasetPaths.map(path => `--dataset_path ${quoteWord(path)}`)
  const command = [...program, quoteWord(plan.executable), '"$@"', '--storage_path "$folder"', ...datasets].join(' ')
  return `group() {
  index=$1 info=$2 folder="${plan.groupCount === 1 ? '$run' : '$run/group_$1'}" code=1 outcome=launch
  shift 2
  clock
  started=$now
  export QANAT_GROUP_INDEX="$index" QANAT_STORAGE_PATH="$folder"
  [ -d "$folder" ] || mkdir -p "$folder" || return
  printf '%s' "$info" >"$folder/group_info.yaml" || return
  cd ${quoteWord(plan.workingDirectory)} || return
${isolated ? prologue(environment) : ''}  $own_group ${command} </dev/null >>"$folder/stdout.txt" 2>>"$folder/stderr.txt" &
  pid=$!
  record start "$index" "$attempt" "$pid" "$started" "$host" "$job"
  outcome=exit
  await "$pid"
  signal_group KILL "$pid"
  pid=
}
`
}

/** Everything before the script of a template that has shell lines; the first failing one ends the group. */
function prologue(environment: JobEnvironment): string {
  const { modules, conda, venv, setup, scratch } = environment
  const lines = [
    'exec </dev/null >>"$folder/stdout.txt" 2>>"$folder/stderr.txt"',
    'record start "$index" "$attempt" $$ "$started" "$host" "$job"',
    modules.length > 0 ? findModuleCommand : '',
    'set -e',
    scratch ? 'QANAT_SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/qanat.XXXXXX")\nexport QANAT_SCRATCH' : '',
    modules.length > 0 ? `module load ${modules.map(quoteWord).join(' ')}` : '',
    conda ? `eval "$("\${CONDA_EXE:-conda}" shell.posix hook)"\nconda activate ${quoteWord(conda)}` : '',
    venv ? `. ${expandableWord(`${venv}/bin/activate`)}` : '',
    setup ? setup.trimEnd() : '',
    'set +e',
    'start_tasks',
  ]
  return `${lines.filter(line => line !== '').join('\n')}\n`
}

/** Environment modules are a shell function that login shells define; a batch shell has to look for it. */
const findModuleCommand = `for file in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /etc/profile.d/z00_lmod.sh; do
  command -v module >/dev/null 2>&1 || [ ! -r "$file" ] || . "$file"
done`

function finishFunction(environment: JobEnvironment, isolated: boolean): string {
  const { teardown, scratch } = environment
  const ends = [
    isolated ? 'trap - EXIT\nset +e\nend_tasks' : '',
    teardown ? `(\n${teardown.trimEnd()}\n) || warn "the teardown ended with code $?"` : '',
    scratch ? '[ -z "$QANAT_SCRATCH" ] || rm -rf -- "$QANAT_SCRATCH"' : '',
  ].filter(text => text !== '')
  return `finish() {
${ends.map(text => `${text}\n`).join('')}  [ -z "$stopped" ] || outcome=stopped
  clock
  record end "$index" "$attempt" "$code" "$outcome" "$started" "$now" "$host" "$job"
}
`
}

const workLoop = `work() {
  while IFS= read -r line; do
    eval "take $line"
    [ -z "$stopped" ] || break
    echo
  done
}
`

const mainShared = `take() {
  group "$@"
  finish
}

${workLoop}
work
`

/** Exit 0 of the inner shell says that the end is recorded; whatever else it says, it was killed before that. */
function mainIsolated(environment: JobEnvironment): string {
  const shell = environment.shell ? environment.shell.map(quoteWord).join(' ') : '"${BASH:-sh}"'
  return `take() {
  index=$1
  clock
  started=$now
  $own_group ${shell} "$0" one "$journal" "$host" "$@" </dev/null >/dev/null 2>&1 &
  pid=$!
  await "$pid"
  pid=
  [ "$code" = 0 ] || record end "$index" "$attempt" "$code" exit "$started" "$started" "$host" "$job"
}

${workLoop}
if [ "$mode" = work ]; then work; exit; fi
trap 'finish; exit 0' EXIT
group "$@"
`
}
