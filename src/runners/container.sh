# shellcheck shell=sh disable=SC2034,SC2154 # job.sh and settings.sh have the other half of the variables
# Changes job.sh for groups in containers: finds the programs that qanat_command needs. settings.sh sets
# qanat_container (`apptainer` or `docker`), qanat_image and qanat_container_prefix.

qanat_engine=''
qanat_enter=qanat_enter_container qanat_clean_up=qanat_leave_container

qanat_enter_container() { "qanat_enter_$qanat_container" </dev/null 2>>"$qanat_folder/stderr.txt"; }

qanat_enter_apptainer() {
  qanat_engine=$(command -v apptainer || command -v singularity) || {
    echo "qanat: there is neither apptainer nor singularity on $qanat_host" >&2
    return 1
  }
  qanat_runscript=$("$qanat_engine" inspect --runscript "$qanat_image") || return
  # Apptainer reports if an image has no runscript that would run the command.
  case $qanat_runscript in
    '' | *'There is no runscript defined'*) qanat_verb='exec' ;;
    *) qanat_verb=run ;;
  esac
}

qanat_enter_docker() {
  qanat_engine=''
  # The client of Docker may be installed without its daemon.
  for qanat_candidate in docker podman; do
    [ -n "$qanat_engine" ] || ! "$qanat_candidate" version >/dev/null 2>&1 || qanat_engine=$qanat_candidate
  done
  if [ -z "$qanat_engine" ]; then
    echo "qanat: neither docker nor podman answers on $qanat_host" >&2
    return 1
  fi
  qanat_container_name=$qanat_container_prefix$qanat_index
  # Files that are written in the container must belong to the user. Rootless Podman would map the user to another one.
  qanat_user=--user=$(id -u):$(id -g)
  case $qanat_engine:$(id -u) in
    podman:0) qanat_user='' ;;
    podman:*) qanat_user=--userns=keep-id ;;
  esac
}

# A container of Docker outlives its client if that is killed. Kill the container before removing it, since Podman would
# give it ten seconds to end.
qanat_leave_container() {
  [ "$qanat_container" = docker ] && [ -n "$qanat_engine" ] || return 0
  "$qanat_engine" kill "$qanat_container_name" >/dev/null 2>&1
  "$qanat_engine" rm --force "$qanat_container_name" >/dev/null 2>&1
}
