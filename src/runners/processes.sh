#!/bin/sh
# The processes of a group, and what they use: the first part of job.sh.

# From here on every background process is a process group of its own. Bash can do that without setsid.
qanat_use_groups() {
  if [ -n "$BASH_VERSION" ]; then set -m
  elif command -v setsid >/dev/null 2>&1; then qanat_setsid=1
  fi
}

qanat_signal_group() { kill "-$1" "-$2" 2>/dev/null || kill "-$1" "$2" 2>/dev/null; }

# Called when the shell is told to end (`stopped`), or that the group reaches its time limit (`timeout`) or has too much memory
# (`oom`): OUTCOME SIGNAL
qanat_stop() {
  qanat_stopped=$1 qanat_signalled=1
  [ -z "$qanat_pid" ] || qanat_signal_group "$2" "$qanat_pid"
}

# Passes other signals on to the script.
qanat_pass_on() {
  qanat_signalled=1
  [ -z "$qanat_pid" ] || qanat_signal_group "$1" "$qanat_pid"
}

qanat_traps() {
  trap 'qanat_stop stopped TERM' TERM INT HUP
  trap 'qanat_stop timeout TERM' URG
  # It would have still more memory by the end of a grace.
  trap 'qanat_stop oom KILL' XCPU
  trap 'qanat_pass_on USR1' USR1
  trap 'qanat_pass_on USR2' USR2
}

# Waits for qanat_pid. A signal ends `wait` early with a code that is not the group's: wait again. If the second code is
# 127, the first one was the group's. If it is -1, the group ended at the moment of the signal and bash has lost its
# code: then the first code, which names the signal, is the best answer.
qanat_await() {
  # The shell may have been told to end just before the process existed.
  [ -z "$qanat_stopped" ] || qanat_signal_group TERM "$qanat_pid"
  wait "$qanat_pid"
  qanat_code=$?
  while [ -n "$qanat_signalled" ]; do
    qanat_signalled=''
    wait "$qanat_pid"
    qanat_again=$?
    case $qanat_again in -1 | 127) ;; *) qanat_code=$qanat_again ;; esac
  done
}

# --- What a group uses

# Sets qanat_ticks to the CPU time of all processes that this shell has waited for, in hundredths of a second. `times` tells it
# everywhere, but only to a file.
qanat_read_ticks() {
  qanat_ticks=''
  read -r _ qanat_name _ _ _ _ _ _ _ _ _ _ _ _ _ qanat_user_time qanat_system_time _ </proc/$$/stat || return 0
  # The name of the shell is in parentheses. If it contains blanks, these are other fields.
  case $qanat_name in *')') qanat_ticks=$((qanat_user_time + qanat_system_time)) ;; esac
}

# Called when the processes of a group have ended. Of a group of the local runner, the supervisor may have seen the memory.
qanat_measure() {
  if [ -n "$qanat_measures" ] && [ -n "$qanat_ticks" ]; then
    qanat_before=$qanat_ticks
    qanat_read_ticks
    qanat_cpu=$((qanat_ticks - qanat_before))
  fi
  qanat_peak=$qanat_run/.run/peaks/${qanat_journal##*/} qanat_seen=''
  [ "$qanat_job" = - ] && [ -f "$qanat_peak" ] || return 0
  { read -r qanat_seen qanat_bytes <"$qanat_peak"; } 2>/dev/null
  [ "$qanat_seen" != "$qanat_index" ] || qanat_memory=$qanat_bytes
}
