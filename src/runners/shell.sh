# shellcheck shell=sh disable=SC2034,SC2154 # job.sh and settings.sh have the other half of the variables
# Changes job.sh for a person: instead of a group, a shell runs in the environment of one, on the terminal. Nothing is recorded.
# settings.sh sets QANAT_COMMAND, which is what the group would run.

# A shell of the template, and then what qanat_command runs, take the place of this one.
qanat_start_shell() { exec "$@"; }
qanat_start() {
  trap - EXIT TERM INT HUP URG XCPU USR1 USR2
  [ "${qanat_container:-}" != docker ] || {
    qanat_first=$1
    shift 2
    set -- "$qanat_first" run --interactive --tty --env QANAT_COMMAND "$@"
  }
  exec "$@"
}

# Enters the environment of a group and stays there: INDEX
qanat_seat() {
  qanat_index=$1 qanat_folder=$qanat_run
  export QANAT_GROUP_INDEX="$1" QANAT_STORAGE_PATH="$qanat_folder" QANAT_COMMAND
  case $qanat_parts in
    *template*)
      [ "$qanat_mode" = seat ] || qanat_shell "$0" seat '' "$qanat_host" - 0 "$1"
      [ -z "$qanat_modules" ] || qanat_find_modules
      if [ -n "$qanat_wants_scratch" ]; then export QANAT_SCRATCH="$qanat_folder"; fi
      eval "$qanat_setup"
      qanat_own_settings
      ;;
  esac
  "$qanat_enter_copy"
  "$qanat_enter" && qanat_command
  cat "$qanat_folder/stderr.txt" >&2
  exit 1
}
