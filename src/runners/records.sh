#!/bin/sh
# What is recorded of a group, its environment, and its secrets: the second part of job.sh.

# Bash knows the time itself, from version 5 on. GNU date prints fractions of a second, others print the letter of the format.
# shellcheck disable=SC3028 # only bash is asked for it
if [ -n "${BASH_VERSION:+$EPOCHREALTIME}" ]; then
  qanat_clock() { qanat_now=$EPOCHREALTIME; }
else
  qanat_time=+%s.%N
  case $(date +%N) in '' | *[!0-9]*) qanat_time=+%s ;; esac
  qanat_clock() { qanat_now=$(date "$qanat_time"); }
fi

# Records that the group has started: PID
qanat_record_start() {
  printf '1 start %s\n' "$qanat_index $qanat_attempt $1 $qanat_started $qanat_where" >>"$qanat_journal"
}

# Called when the journal is not in its place. A script may empty or remove its output folder, which contains the journal if
# the run has only one group. Then the folder is made again (HTCondor needs it, too, see condorErrors), unless somebody has
# deleted the results of the whole experiment, or the run, whose groups were told to end before. If the project was moved,
# the journal is where it was, as seen from the working directory, which has moved as well.
qanat_find_journal() {
  qanat_parent=$qanat_run
  [ -n "$qanat_stopped" ] || qanat_parent=${qanat_run%/*}
  if [ -n "$qanat_near" ] && [ -f "$qanat_near${qanat_journal#"$qanat_run"}" ]; then
    qanat_journal=$qanat_near${qanat_journal#"$qanat_run"} qanat_moved=moved
  elif [ -d "$qanat_parent" ]; then
    mkdir -p "${qanat_journal%/*}"
    qanat_remade=1
    [ -n "$qanat_pooled" ] || printf '1 job %s\n' "$qanat_job" >"$qanat_journal"
  fi
}

# Records that the group has ended: TIME
qanat_record_end() {
  [ -e "$qanat_journal" ] || qanat_find_journal
  qanat_used="${qanat_cpu:--} ${qanat_memory:--} ${qanat_dealt:--}"
  printf '1 end %s\n' "$qanat_index $qanat_attempt $qanat_code $qanat_outcome $qanat_started $1 $qanat_used $qanat_where" \
    >>"$qanat_journal"
  "$qanat_counts"
}

# --- The environment

# Records the environment of the first group of the launch on this host, in the background. The process is no child of
# this shell, so that its CPU time is not taken for the group's. The file is opened before the group starts: if that
# removes the folder of the run, nothing comes back.
qanat_note_environment() {
  [ -z "$qanat_noted" ] || return 0
  qanat_noted=1 qanat_record=$qanat_run/.run/environments/$qanat_attempt.$qanat_host
  qanat_places=$qanat_run/.run/environments/places.$qanat_attempt.$qanat_host
  [ ! -e "$qanat_record" ] || return 0
  [ -d "${qanat_record%/*}" ] || mkdir "${qanat_record%/*}" 2>/dev/null
  set -C
  { true >"$qanat_record"; } 2>/dev/null
  qanat_claimed=$?
  set +C
  [ "$qanat_claimed" = 0 ] || return 0
  { qanat_describe >>"$qanat_record"; } 2>/dev/null
  # A job may not end before it: the scheduler would kill it.
  [ "$qanat_job" = - ] || qanat_noting=70
}

# Starts environment.sh, which writes to standard output; qanat_describe calls it: STARTER EXECUTABLE [WORD...]. It is no
# process of the group.
qanat_start_note() {
  set -- "$qanat_index $qanat_attempt" "$qanat_started $qanat_where" "$qanat_self" "$@"
  # shellcheck disable=SC2086 # these are words
  (
    unset $qanat_secrets QANAT_MARK QANAT_STORAGE_PATH
    "$qanat_release"
    ${qanat_setsid:+setsid} /bin/sh "${0%/*}/environment.sh" record "$qanat_places" "$qanat_journal" "$@" </dev/null 2>/dev/null 9<&- &
  )
}

# Looks again once packages were installed or removed while a group ran, which the times of their folders tell.
# shellcheck disable=SC3013,SC2094 # dash, busybox, bash and ksh know -nt, and the file of places is only read
qanat_note_changes() {
  [ -s "$qanat_places" ] && [ -z "$qanat_stopped" ] || return 0
  while read -r _ qanat_place; do
    if [ "$qanat_place" -nt "$qanat_record" ]; then
      touch "$qanat_record"
      /bin/sh "${0%/*}/environment.sh" again "$qanat_places" "$qanat_record"
      return
    fi
  done <"$qanat_places"
}

# Waits for it at the end of a job. The end of the group is recorded by then.
qanat_await_note() {
  while [ "$qanat_noting" -gt 0 ] && [ -z "$qanat_stopped" ]; do
    case $(tail -n 1 "$qanat_record" 2>/dev/null) in end | partial) break ;; esac
    qanat_noting=$((qanat_noting - 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
}

# --- Secrets

# Exports the secrets. Only a group gets them: this shell drops them once it has started it.
qanat_take_secrets() {
  if [ ! -r "$qanat_secret_file" ]; then
    echo "qanat: the secrets of this launch are gone, since the run was over; qanat run_retry takes them again" >&2
    return 1
  fi
  # shellcheck source=/dev/null
  . "$qanat_secret_file"
}

# shellcheck disable=SC2086 # these are words
qanat_drop_secrets() { [ -z "$qanat_secrets" ] || unset $qanat_secrets; }
