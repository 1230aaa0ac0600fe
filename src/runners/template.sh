# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Changes job.sh for templates with shell lines: each group has a shell of its own, in which they run, so that it
# inherits nothing from the previous group. settings.sh sets qanat_modules, qanat_setup, qanat_teardown and
# qanat_wants_scratch, and defines the functions qanat_shell and qanat_start_tasks.

if [ "$qanat_mode" = one ]; then
  # End a setup at once. A process that is just being started is signalled by qanat_await.
  qanat_stop() {
    qanat_stopped=$1 qanat_signalled=1
    if [ -n "$qanat_pid" ]; then qanat_signal_group "$2" "$qanat_pid"
    elif [ -z "$qanat_opened" ]; then exit 143
    elif [ -z "$qanat_starting" ]; then qanat_close
    fi
  }
else
  # The shell of the group passes signals on. The request to end has to reach all processes of a setup, which are in
  # the process group of that shell.
  qanat_stop() {
    qanat_stopped=$1 qanat_signalled=1
    if [ -z "$qanat_pid" ]; then :
    elif [ "$1" = timeout ]; then kill -URG "$qanat_pid"
    elif [ "$1" = oom ]; then kill -XCPU "$qanat_pid"
    else qanat_signal_group TERM "$qanat_pid"
    fi
  }
  qanat_pass_on() {
    qanat_signalled=1
    [ -z "$qanat_pid" ] || kill "-$1" "$qanat_pid"
  }
fi

# --- Around the shell of a group

qanat_run_group() {
  qanat_index=$1
  qanat_clock
  qanat_started=$qanat_now
  if qanat_may_start; then
    qanat_shell "$0" one "$qanat_journal" "$qanat_host" "$qanat_job" "$qanat_restarts" "$@"
    qanat_await
    qanat_pid=''
  fi
  # Code 100 means that the end is recorded. Otherwise the shell was killed, the setup left it, or its code is lost.
  [ "$qanat_code" != 100 ] || return
  case $(tail -n 1 "$qanat_journal") in "1 end $qanat_index $qanat_attempt "*" $qanat_where") return ;; esac
  qanat_outcome=launch
  [ "$qanat_code" -le 128 ] || qanat_outcome='exit'
  qanat_outcome=${qanat_stopped:-$qanat_outcome}
  "$qanat_explains"
  qanat_record_end "$qanat_started"
}

# Starts the words of a shell; qanat_shell calls it.
qanat_start_shell() {
  ${qanat_setsid:+setsid} "$@" </dev/null >/dev/null 2>&1 9<&- &
  qanat_pid=$!
}

# --- In the shell of a group

qanat_ifs=$IFS
qanat_scratch='' qanat_tasks=''
# Not empty once this shell is responsible for recording the end; not empty while a process is being started.
qanat_opened='' qanat_starting=''

# Runs a group, and leaves with 100 once its end is recorded: INDEX INFO ARGUMENT...
qanat_one() {
  qanat_open "$1" "$2"
  qanat_opened=$?
  trap qanat_close EXIT
  [ "$qanat_opened" = 0 ] || exit
  shift 2
  qanat_before_setup
  [ -z "$qanat_secrets" ] || qanat_take_secrets
  eval "$qanat_setup"
  qanat_after_setup
  qanat_keep_parameters "$@"
  # Bash would print to the stderr of the group which process was killed.
  "$qanat_enter" && qanat_is_wanted && qanat_note_environment && qanat_command "$@" && qanat_follow 2>/dev/null
}

# Ends the group, whatever it is doing. A signal may call this during an earlier call: only the first call that gets as
# far as ignoring signals goes on.
qanat_close() {
  qanat_finish
  exit 100
}

# From here on, the first line that fails ends the group.
qanat_before_setup() {
  exec </dev/null >>"$qanat_folder/stdout.txt" 2>>"$qanat_folder/stderr.txt"
  qanat_record_start $$
  [ -z "$qanat_modules" ] || qanat_find_modules
  set -e
  if [ -n "$qanat_wants_scratch" ]; then
    qanat_scratch=$(mktemp -d "${TMPDIR:-/tmp}/qanat.XXXXXX")
    export QANAT_SCRATCH="$qanat_scratch"
  fi
}

# Batch shells do not read the startup file in which conda puts itself into the PATH: look where it is usually installed.
qanat_find_conda() {
  qanat_conda=${CONDA_EXE:-}
  [ ! -x "$qanat_conda" ] || return 0
  qanat_conda=conda
  ! command -v conda >/dev/null 2>&1 || return 0
  qanat_home=${HOME:-$(eval "echo ~$(id -un)")}
  for qanat_base in "$qanat_home" /opt /usr/local; do
    for qanat_name in miniforge3 mambaforge miniconda3 anaconda3 miniconda anaconda conda; do
      qanat_conda=$qanat_base/$qanat_name/bin/conda
      [ ! -x "$qanat_conda" ] || return 0
    done
  done
  echo "qanat: there is no conda on $qanat_host, neither in the PATH nor in $qanat_home/miniconda3 and the like." \
    "Name its file in the template, as in after_modules: . /path/to/conda/etc/profile.d/conda.sh" >&2
  return 1
}

# Resets options that the lines of the template may have changed.
qanat_own_settings() {
  set +efu
  IFS=$qanat_ifs
}

qanat_after_setup() {
  qanat_own_settings
  trap qanat_close EXIT
  qanat_traps
  qanat_use_groups
  "$qanat_enter_copy"
  qanat_start_tasks
}

# The shell itself is recorded already. The setup may have defined the command as a function.
qanat_start() {
  qanat_starting=1
  ${qanat_setsid:+setsid} "$@" </dev/null >>"$qanat_folder/stdout.txt" 2>>"$qanat_folder/stderr.txt" &
  qanat_pid=$! qanat_starting=''
  qanat_record_start "$qanat_pid"
}

# The container's clean-up comes first.
qanat_leave=$qanat_clean_up
qanat_clean_up=qanat_tear_down
qanat_tear_down() {
  trap - EXIT
  trap '' TERM INT HUP URG XCPU USR1 USR2
  qanat_own_settings
  "$qanat_leave"
  # Bash would print messages about killed processes.
  qanat_end_tasks 2>/dev/null
  [ -z "$qanat_teardown" ] || (eval "$qanat_teardown") || qanat_warn "the teardown ended with code $?"
  [ -z "$qanat_scratch" ] || rm -rf -- "$qanat_scratch"
}

# --- Background tasks

# Starts one of them: NUMBER COMMAND
qanat_start_task() {
  mkdir -p "$qanat_run/.run/background"
  qanat_starting=1
  # shellcheck disable=SC3028 # only bash sets it
  ${qanat_setsid:+setsid} "${BASH:-sh}" -c "$2" >"$qanat_run/.run/background/$qanat_index.$1.txt" 2>&1 &
  qanat_tasks="$qanat_tasks $!" qanat_starting=''
}

qanat_end_tasks() {
  for qanat_task in $qanat_tasks; do
    if kill -0 "$qanat_task"; then qanat_end_task "$qanat_task"
    else wait "$qanat_task" || qanat_warn "a background task ended with code $?"
    fi
  done
}

# Gives a task some seconds to end by itself, then kills it.
qanat_end_task() {
  qanat_signal_group TERM "$1"
  # shellcheck disable=SC2016 # the inner sh expands it
  ${qanat_setsid:+setsid} sh -c 'sleep 5; kill -KILL "-$1" 2>/dev/null || kill -KILL "$1"' sh "$1" >/dev/null 2>&1 &
  qanat_reminder=$!
  wait "$1"
  qanat_signal_group KILL "$1"
  qanat_signal_group KILL "$qanat_reminder"
  wait "$qanat_reminder"
}
