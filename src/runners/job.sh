#!/bin/sh
# Runs the groups of one launch, the same for every runner. It needs sh and coreutils. Everything that differs between
# launches is in settings.sh beside this file, which is written by settings.ts.
#
#     job.sh pool '' HOST - 0 [again]
#         runs the groups of the plan in the slots of this machine (see pool.sh), once it is told to on standard input.
#     job.sh pack '' HOST JOB RESTARTS FIRST COUNT GENERATION
#         runs so many groups of the plan in the slots of a job of a scheduler (see pack.sh).
#     job.sh pod '' HOST POD 0
#         runs groups of the plan in a pod of Kubernetes (see pod.sh).
#     job.sh task JOURNAL HOST JOB RESTARTS INDEX
#         runs that group of the plan as a job of a scheduler, unless another job has claimed it, and exits with the
#         group's code.
#     job.sh one JOURNAL HOST JOB RESTARTS INDEX INFO ARGUMENT...
#         runs one group of a template with shell lines (see template.sh), and exits with 100 once its end is recorded.
#     job.sh shell '' HOST - 0 INDEX
#         opens a shell in the environment of that group (see shell.sh).
#
# Each group is a process group. It runs in the background while the shell waits for it, so that traps act at once. Its
# end is one line appended to the journal (see domain/runs/group-record.ts), which outlives every process of the run.

# settings.sh sets these and defines the functions qanat_command and qanat_describe.
qanat_run='' qanat_attempt='' qanat_directory='' qanat_program=''
# The folder of the run as seen from the working directory, if both are in the project.
qanat_near=''
# Not empty if each group has a folder of its own.
qanat_folders=''
qanat_launch_failed='' qanat_group_taken='' qanat_place_width=''
# The names that values of variables need, and that are not set on this node.
qanat_unset=''
# The names of the secrets, and the file in which they are.
qanat_secrets='' qanat_secret_file=${0%/*}/secrets
# Parts of this script that the launch needs: `template`, `container`, `failures`, `frozen`.
qanat_parts=''
# Not empty if all processes of a group descend from this shell, so that it knows their CPU time.
qanat_measures=''
# The function that checks the outputs of a group, if the experiment declares some.
qanat_outputs=:
# Not empty if a pool runs the groups: then each has no shell that waits until all is said of it.
qanat_pooled=''
# shellcheck source=/dev/null
. "${0%/*}/settings.sh" || exit

qanat_mode=$1 qanat_journal=$2 qanat_host=$3 qanat_job=$4 qanat_restarts=$5
shift 5
qanat_where="$qanat_host $qanat_job $qanat_restarts"
qanat_stopped='' qanat_signalled='' qanat_pid='' qanat_setsid='' qanat_at_work='' qanat_cpu='' qanat_memory='' qanat_ticks=''
qanat_peak='' qanat_dealt='' qanat_self=$$ qanat_noted='' qanat_noting='' qanat_places=''
# qanat_moved is not empty once the project was moved, or the folder of the pool was removed: then the pool starts nothing more.
# qanat_remade is not empty once the journal was made again.
# shellcheck disable=SC2034
qanat_moved='' qanat_remade=''
[ -r /proc/$$/stat ] || qanat_measures=''
# Look it up once: otherwise each group would search the whole PATH.
[ -z "$qanat_program" ] || hash "$qanat_program" 2>/dev/null
cd "$qanat_directory" && qanat_at_work=1

# --- A group

# Hooks around a command, and around a group, empty here: container.sh, template.sh, failures.sh, frozen.sh, storage.sh, pack.sh and
# gpus.sh set functions.
qanat_enter=: qanat_clean_up=: qanat_admits=: qanat_counts=: qanat_enter_copy=: qanat_release=: qanat_explains=: qanat_forgets=: qanat_stores=:

# The folders above that of the run are not made again: what would run there is not of this run.
qanat_make_folder() { [ -d "${qanat_run%/*}" ] && mkdir -p "$qanat_folder"; }

# True unless so many groups have failed that no other is started. Others may fail while a group is prepared.
qanat_is_wanted() {
  ! "$qanat_admits" || return 0
  qanat_code=0 qanat_outcome=skipped
  return 1
}

# Prepares a group: INDEX INFO
qanat_open() {
  qanat_index=$1 qanat_code=1 qanat_outcome=launch qanat_folder=$qanat_run${qanat_folders:+/group_$1}
  qanat_cpu='' qanat_memory=''
  # The time until now is that of earlier groups.
  [ -z "$qanat_measures" ] || [ -n "$qanat_ticks" ] || qanat_read_ticks
  qanat_clock
  qanat_started=$qanat_now
  # The mark tells its processes from those of actions, and of launches that it makes: see system/processes/marked.ts.
  qanat_mark="$QANAT_RUN_ID.$1.$qanat_attempt $qanat_folder"
  export QANAT_GROUP_INDEX="$1" QANAT_STORAGE_PATH="$qanat_folder" QANAT_MARK="$qanat_mark"
  "$qanat_forgets"
  [ -d "$qanat_folder" ] || qanat_make_folder || return
  [ -z "$2" ] || printf '%s' "$2" >"$qanat_folder/group_info.yaml" || return
  [ -n "$qanat_at_work" ] || return
  [ -z "$qanat_unset" ] || qanat_say_unset >>"$qanat_folder/stderr.txt"
}

qanat_say_unset() {
  echo "qanat: env of the submit template names$qanat_unset, which $qanat_host does not have set"
  return 1
}

# Keeps a copy of each file that the arguments name as parameters: ARGUMENT...
qanat_keep_parameters() {
  qanat_option=''
  for qanat_word; do
    qanat_parameters=''
    case $qanat_option,$qanat_word in
      --parameters_file,*) qanat_parameters=$qanat_word ;;
      *,--parameters_file=*) qanat_parameters=${qanat_word#*=} ;;
    esac
    qanat_option=$qanat_word
    [ -f "$qanat_parameters" ] || continue
    mkdir -p "$qanat_folder/parameters_files" && cp -- "$qanat_parameters" "$qanat_folder/parameters_files"
  done
}

# Starts the words of a command; qanat_command calls it. A worker of a pool has the plan open as descriptor 9.
qanat_start() {
  # The new process records its own start: if this shell did and were killed in between, the group would be unknown.
  {
    qanat_find_self
    qanat_record_start "$qanat_self"
    exec ${qanat_setsid:+setsid} "$@"
  } </dev/null >>"$qanat_folder/stdout.txt" 2>>"$qanat_folder/stderr.txt" 9<&- &
  qanat_pid=$!
}

# True unless the shell was told to end before it starts a group. A signal that follows at once would be lost: the new process
# of dash drops signals until it has forgotten the traps of this shell.
qanat_may_start() {
  [ -n "$qanat_stopped" ] || return 0
  qanat_code=143
  return 1
}

# Waits for a group that was started, and ends processes that it leaves behind.
qanat_follow() {
  qanat_outcome='exit'
  qanat_await
  {
    kill -KILL "-$qanat_pid"
    qanat_pid=''
    qanat_measure
  } 2>/dev/null
}

# Checks that an output of the group is there: PATTERN FILE... A link that leads nowhere is none.
qanat_expect() {
  qanat_pattern=$1
  shift
  for qanat_file; do [ ! -e "$qanat_file" ] || return 0; done
  qanat_outcome=incomplete
  { echo "qanat: the output $qanat_pattern is missing" >>"$qanat_folder/stderr.txt"; } 2>/dev/null
}

# Records the end of a group.
qanat_finish() {
  qanat_outcome=${qanat_stopped:-$qanat_outcome}
  "$qanat_explains"
  "$qanat_clean_up"
  # The end of a job is recorded first, since the scheduler may soon kill this shell.
  [ -z "$qanat_pooled" ] || qanat_end_others
  [ "$qanat_outcome $qanat_code" != 'exit 0' ] || "$qanat_outputs"
  qanat_clock
  [ -z "$qanat_pooled" ] || qanat_note_changes
  qanat_record_end "$qanat_now"
  [ -n "$qanat_pooled" ] || { qanat_end_others; qanat_name_others; qanat_note_changes; }
  [ -z "$qanat_noting" ] || qanat_await_note
  "$qanat_stores"
}

# Runs a group and records how it ended: INDEX INFO ARGUMENT...
qanat_run_group() {
  if qanat_open "$1" "$2"; then
    shift 2
    # Each redirection takes a shell as long as ten commands.
    case $* in *--parameters_file*) qanat_keep_parameters "$@" 2>>"$qanat_folder/stderr.txt" ;; esac
    "$qanat_enter" && qanat_is_wanted && qanat_note_environment &&
      { [ -z "$qanat_secrets" ] || qanat_take_secrets 2>>"$qanat_folder/stderr.txt"; } && qanat_may_start &&
      qanat_command "$@" && qanat_drop_secrets && qanat_follow
  fi
  qanat_finish
}

# Runs a group, or records that it is not started: INDEX INFO ARGUMENT...
qanat_launch() {
  if qanat_is_wanted; then
    qanat_run_group "$@"
    return
  fi
  qanat_index=$1 qanat_cpu='' qanat_memory=''
  qanat_clock
  qanat_started=$qanat_now
  qanat_record_end "$qanat_now"
}

# --- A group as a job of a scheduler

qanat_give_up() {
  echo "qanat: the node $qanat_host $1" >&2
  exit "$qanat_launch_failed"
}

qanat_leave_alone() {
  echo "$1"
  exit "$qanat_group_taken"
}

# Claims a group: it belongs to the job that made its journal. The same job may claim it again when it is requeued.
qanat_claim_journal() {
  qanat_mark="1 job $qanat_job"
  set -C
  { printf '%s\n' "$qanat_mark" >"$qanat_journal"; } 2>/dev/null
  qanat_claimed=$?
  set +C
  [ "$qanat_claimed" != 0 ] || return 0
  [ -e "$qanat_journal" ] || qanat_give_up "cannot write to $qanat_journal"
  # The journal is empty if the job that made it was killed at that moment.
  [ -s "$qanat_journal" ] || sleep 2
  [ -s "$qanat_journal" ] || printf '%s\n' "$qanat_mark" >>"$qanat_journal"
  IFS= read -r qanat_owner <"$qanat_journal"
  [ "$qanat_owner" = "$qanat_mark" ]
}

# True if a later launch has the group: then this job was given up before it was submitted.
qanat_is_superseded() {
  qanat_later=$((qanat_attempt + 1))
  while [ -d "$qanat_run/.run/launch_$qanat_later" ]; do
    ! grep -qx "$1" "$qanat_run/.run/launch_$qanat_later/groups" 2>/dev/null || return 0
    qanat_later=$((qanat_later + 1))
  done
  return 1
}

# Prints a plan from a position on; its index has the byte at which each line begins: FILE POSITION
qanat_read_from() {
  qanat_place=$(tail -c +$((qanat_place_width * $2 + 1)) "$1.index" | head -n 1)
  [ -z "$qanat_place" ] || tail -c +$((qanat_place + 1)) "$1"
}

qanat_task() {
  qanat_use_groups
  ! qanat_is_superseded "$1" || qanat_leave_alone "group $1 was launched again"
  qanat_claim_journal || qanat_leave_alone "group $1 is another job's"
  qanat_line=$(qanat_read_from "$qanat_run/.run/plan" "$1" | head -n 1)
  # A signal ends what ksh reads.
  [ -z "$qanat_stopped" ] || qanat_line=$(qanat_read_from "$qanat_run/.run/plan" "$1" | head -n 1)
  [ -n "$qanat_line" ] || qanat_give_up "cannot read $qanat_run/.run/plan"
  eval "qanat_launch $qanat_line"
  # The end must be recorded. If the group had a shell of its own, only the record has its code.
  qanat_last=$(tail -n 1 "$qanat_journal")
  case $qanat_last in
    '1 end '*" $qanat_restarts") ;;
    *) qanat_give_up "cannot write to $qanat_journal" ;;
  esac
  qanat_code=${qanat_last#* * * * }
  qanat_code=${qanat_code%% *}
  # Only the copying of a group that had ended well was told to end.
  case $qanat_stores,$qanat_last in [!:]*,'1 end '*' 0 exit '*) qanat_stopped='' ;; esac
  # A scheduler must not count a group that was told to end as finished.
  [ -z "$qanat_stopped" ] || [ "$qanat_code" != 0 ] || exit 143
  exit "$qanat_code"
}

# These replace some of the functions above.
for qanat_part in $qanat_parts; do
  # shellcheck source=/dev/null
  . "${0%/*}/$qanat_part.sh" || exit
done
qanat_traps
# After the setup of a template, this comes once more.
"$qanat_enter_copy"
case $qanat_mode in
  pool) qanat_keep "$@" ;;
  pack) qanat_pack "$@" ;;
  pod) qanat_be_pod ;;
  task) qanat_task "$@" ;;
  one) qanat_one "$@" ;;
  shell | seat) qanat_seat "$@" ;;
esac
