import type { JobEnvironment } from '../domain/job-environment.js'
import { planPlaceWidth } from '../domain/runs/run-plan.js'
import { launchFailed } from '../domain/runs/verdicts.js'
import { expandableWord } from '../domain/text/shell-text.js'

const work = `# Only one shell can make a group's stdout.txt. Where the folder is missing, the group itself fails and says so.
qanat_claim() {
  qanat_folder_of "$1"
  set -C
  { true >"$qanat_folder/stdout.txt"; } 2>/dev/null || [ ! -e "$qanat_folder/stdout.txt" ]
  qanat_claimed=$?
  set +C
  return $qanat_claimed
}

qanat_take() { qanat_claim "$1" && qanat_run_group "$@"; }

qanat_work() {
  qanat_use_groups
  while IFS= read -r qanat_line; do
    [ -z "$qanat_stopped" ] || break
    if [ "$qanat_line" = free ]; then echo; else eval "qanat_take $qanat_line"; fi
  done
  # Any other code would say that this shell was killed with groups in hand.
  exit 0
}
`

const task = `# A group is the job's that made its journal; the same job comes again when it is requeued.
qanat_own() {
  qanat_mark="1 job $qanat_job"
  set -C
  { printf '%s\\n' "$qanat_mark" >"$qanat_journal"; } 2>/dev/null
  qanat_made=$?
  set +C
  [ "$qanat_made" != 0 ] || return 0
  [ -e "$qanat_journal" ] || qanat_give_up "cannot write to $qanat_journal"
  # Empty where its maker was killed in that very moment.
  [ -s "$qanat_journal" ] || sleep 2
  [ -s "$qanat_journal" ] || printf '%s\\n' "$qanat_mark" >>"$qanat_journal"
  IFS= read -r qanat_owner <"$qanat_journal"
  [ "$qanat_owner" = "$qanat_mark" ]
}

# A launch that came later has the group now: this job was given up before it was submitted.
qanat_is_superseded() {
  qanat_later=$((qanat_attempt + 1))
  while [ -d "$qanat_run/.run/launch_$qanat_later" ]; do
    ! grep -qx "$1" "$qanat_run/.run/launch_$qanat_later/groups" 2>/dev/null || return 0
    qanat_later=$((qanat_later + 1))
  done
  return 1
}

qanat_give_up() {
  echo "qanat: the node $qanat_host $1" >&2
  exit ${launchFailed}
}

# The index has the place of each line of the plan.
qanat_plan_line() {
  qanat_place=$(tail -c +$((${planPlaceWidth} * $1 + 1)) "$qanat_run/.run/plan.index" | head -n 1)
  [ -z "$qanat_place" ] || tail -c +$((qanat_place + 1)) "$qanat_run/.run/plan" | head -n 1
}

qanat_task() {
  qanat_use_groups
  ! qanat_is_superseded "$1" || { echo "group $1 was launched again"; exit 0; }
  qanat_own || { echo "group $1 is another job's"; exit 0; }
  qanat_line=$(qanat_plan_line "$1")
  [ -n "$qanat_line" ] || qanat_give_up "cannot read $qanat_run/.run/plan"
  eval "qanat_run_group $1 $qanat_line"
  qanat_last=$(tail -n 1 "$qanat_journal")
  case $qanat_last in
    '1 end '*" $qanat_restarts") ;;
    *) qanat_give_up "cannot write to $qanat_journal" ;;
  esac
  set -- $qanat_last
  # A scheduler must not take what was told to end for something that finished.
  [ -z "$qanat_stopped" ] || [ "$5" != 0 ] || exit 143
  exit "$5"
}
`

const main = `if [ "$qanat_mode" = task ]; then qanat_task "$@"; else qanat_work; fi
`

/** Groups run in this very shell. */
export const mainShared = `qanat_run_group() {
  qanat_group "$@"
  qanat_finish
}

${work}
${task}
${main}`

/**
 * Each group has a shell of its own, in which the template's lines run.
 * Exit 100 of the inner shell says that the end is recorded; otherwise it was killed, or its setup left early.
 */
export function mainIsolated(environment: JobEnvironment): string {
  const shell = environment.shell.length > 0 ? environment.shell.map(expandableWord).join(' ') : '"${BASH:-sh}"'
  return `qanat_run_group() {
  qanat_index=$1
  qanat_clock
  qanat_started=$qanat_now
  $qanat_own_group ${shell} "$0" one "$qanat_journal" "$qanat_host" "$qanat_job" "$qanat_restarts" "$@" </dev/null >/dev/null 2>&1 &
  qanat_pid=$!
  [ -z "$qanat_stopped" ] || qanat_end_group TERM
  qanat_await "$qanat_pid"
  qanat_pid=
  [ "$qanat_code" != 100 ] || return
  [ "$qanat_code" -gt 128 ] && qanat_outcome=exit || qanat_outcome=launch
  qanat_record end "$qanat_index" "$qanat_attempt" "$qanat_code" "\${qanat_stopped:-$qanat_outcome}" "$qanat_started" "$qanat_started" "$qanat_host" "$qanat_job" "$qanat_restarts"
}

${work}
${task}
if [ "$qanat_mode" != one ]; then
  # The inner shell passes on what it gets; a setup, which is of its process group, has to hear of an end.
  qanat_end_group() { if [ "$1" = TERM ]; then qanat_signal_group TERM "$qanat_pid"; else kill "-$1" "$qanat_pid"; fi; }
  qanat_pass_on() {
    qanat_signalled=1
    [ -z "$qanat_pid" ] || kill "-$1" "$qanat_pid"
  }
  ${main.trimEnd()}
fi
trap 'qanat_finish; exit 100' EXIT
qanat_group "$@"
`
}
