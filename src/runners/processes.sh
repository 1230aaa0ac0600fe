#!/bin/sh
# The processes of a group, and what they use: the first part of job.sh.

# From here on every background process is a process group of its own. Bash can do that without setsid.
qanat_use_groups() {
  if [ -n "$BASH_VERSION" ]; then set -m
  elif command -v setsid >/dev/null 2>&1; then qanat_setsid=1
  fi
}

# Not empty if /proc tells about processes.
qanat_proc=''
[ ! -r /proc/self/stat ] || qanat_proc=1

# Sets qanat_self to the process id of this shell: in a forked one, `$$` is still that of the shell that forked it.
qanat_find_self() {
  # shellcheck disable=SC3028 # only bash, from version 4 on, is asked for it
  qanat_self=${BASH_VERSION:+$BASHPID}
  [ -z "$qanat_self" ] || return 0
  # shellcheck disable=SC2016 # the inner sh expands it
  if [ -n "$qanat_proc" ]; then read -r qanat_self _ </proc/self/stat
  else qanat_self=$(exec sh -c 'echo "$PPID"')
  fi
}

# Tells a problem that does not make the group fail.
qanat_warn() { printf 'group %s: %s\n' "$qanat_index" "$*" >>"$qanat_run/.run/warnings.txt"; }

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
  # ksh reports death by signal N as 256 + N.
  [ "$qanat_code" -le 256 ] || qanat_code=$((qanat_code - 128))
}

# --- Processes that have left the group, into sessions of their own

# Sets qanat_others to the ids of those that live, which have its mark in their environment; true if there are any.
qanat_find_others() {
  qanat_others=''
  # A pattern of several lines would be several patterns.
  case $qanat_mark in *"$QANAT_NEWLINE"*) return 1 ;; esac
  for qanat_file in $(unset QANAT_MARK; grep -lsFxz "QANAT_MARK=$qanat_mark" /proc/[0-9]*/environ 2>/dev/null); do
    qanat_file=${qanat_file#/proc/}
    qanat_others="$qanat_others ${qanat_file%/*}"
  done
  [ -n "$qanat_others" ]
}

# Ends them if the group was told to end: TERM, after ten seconds KILL; at once if it had too much memory.
qanat_end_others() {
  [ -n "$qanat_stopped" ] || return 0
  qanat_told=' ' qanat_tenths=0
  while qanat_find_others && [ "$qanat_tenths" -lt 120 ]; do
    for qanat_other in $qanat_others; do
      if [ "$qanat_stopped" = oom ] || [ "$qanat_tenths" -ge 100 ]; then kill -KILL "$qanat_other"
      else
        case $qanat_told in *" $qanat_other "*) ;; *) kill -TERM "$qanat_other" ;; esac
        qanat_told="$qanat_told$qanat_other "
      fi
    done 2>/dev/null
    sleep 0.1 2>/dev/null || { sleep 1; qanat_tenths=$((qanat_tenths + 9)); }
    qanat_tenths=$((qanat_tenths + 1))
  done
}

# Names those that live on after the end of a job. One that was just killed may still be there at the first look.
qanat_name_others() {
  qanat_find_others || return 0
  sleep 1
  qanat_find_others || return 0
  for qanat_other in $qanat_others; do
    { read -r qanat_name <"/proc/$qanat_other/comm"; } 2>/dev/null || continue
    qanat_warn "its process $qanat_other ($qanat_name) goes on, on $qanat_host"
  done
}

# --- What a group uses

# Sets qanat_ticks to the CPU time of all processes that this shell has waited for, in hundredths of a second. `times` tells it
# everywhere, but only to a file.
qanat_read_ticks() {
  qanat_ticks=''
  read -r _ qanat_name _ _ _ _ _ _ _ _ _ _ _ _ _ qanat_user_time qanat_system_time _ </proc/self/stat || return 0
  # The name of the shell is in parentheses. If it contains blanks, these are other fields.
  case $qanat_name in *')') qanat_ticks=$((qanat_user_time + qanat_system_time)) ;; esac
}

# Called when the processes of a group have ended, without standard error. The keeper of a pool may have seen its memory.
qanat_measure() {
  if [ -n "$qanat_measures" ] && [ -n "$qanat_ticks" ]; then
    qanat_before=$qanat_ticks
    qanat_read_ticks
    qanat_cpu=$((qanat_ticks - qanat_before))
  fi
  qanat_seen=''
  [ -n "$qanat_peak" ] && [ -f "$qanat_peak" ] || return 0
  read -r qanat_seen qanat_bytes _ <"$qanat_peak"
  [ "$qanat_seen" != "$qanat_index" ] || qanat_memory=$qanat_bytes
}
