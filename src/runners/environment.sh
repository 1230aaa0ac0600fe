#!/bin/sh
# Records the environment in which the groups of a launch run on this host. job.sh starts it once for each launch and host,
# with the variables of the group:
#
#     environment.sh record PLACES JOURNAL GROUP START SHELL STARTER EXECUTABLE [WORD...]
#         writes facts, then a line `end`, or `partial` if five seconds for the machine, and five for the packages, were not
#         enough. The file PLACES gets the places of packages. JOURNAL, GROUP, START and SHELL say which process the group
#         is: see interpreter.sh. STARTER is `container` if the group runs in one, whose programs cannot be seen from here,
#         `launcher` if that of a template starts it, else empty. The words are those of the executable command.
#     environment.sh again PLACES RECORD
#         writes a record beside the others if what is in the places is not what a record says.
#
# A fact is a line KIND<tab>NAME<tab>VALUE. Nothing is imported, and no variable is recorded but LOADEDMODULES. What is not
# known is a fact of the kind `unknown`.

unset CDPATH
export LC_ALL=C
set -f

# Runs a part of this script in five seconds at most; false if that was not enough: WORD...
bounded() {
  if command -v timeout >/dev/null 2>&1; then
    # It makes a process group of its own, which is killed as a whole.
    timeout -s KILL 5 /bin/sh "$0" "$@"
    return
  fi
  set -m
  /bin/sh "$0" "$@" &
  part=$!
  { sleep 5; kill -KILL "-$part"; } &
  watch=$!
  wait "$part"
  code=$?
  kill -KILL "-$watch"
  return "$code"
}

# KIND NAME VALUE. A value with control characters is left out, since it would break the line.
fact() {
  case $1$2$3 in *[[:cntrl:]]*) return ;; esac
  printf '%s\t%s\t%s\n' "$1" "$2" "$3"
}

# --- The machine

system_facts() {
  fact system kernel "$(uname -sr)"
  fact system machine "$(uname -m)"
  [ ! -r /etc/os-release ] || while IFS='=' read -r key value; do
    value=${value#\"}
    [ "$key" != PRETTY_NAME ] || fact system name "${value%\"}"
  done </etc/os-release
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || libc=''
  for file in /lib/ld-musl-*; do [ ! -e "$file" ] || libc=musl; done
  [ -z "$libc" ] || fact system libc "$libc"
}

processor_facts() {
  if [ -r /proc/cpuinfo ]; then
    while read -r line; do
      case $line in 'model name'*) fact cpu model "${line#*: }" && break ;; esac
    done </proc/cpuinfo
    fact cpu count "$(nproc --all)"
  else
    fact cpu model "$(sysctl -n machdep.cpu.brand_string)"
    fact cpu count "$(sysctl -n hw.ncpu)"
  fi
}

# What NVIDIA's driver tells without being asked.
gpu_facts() {
  [ -r /proc/driver/nvidia/version ] || return 0
  read -r line </proc/driver/nvidia/version
  for word in $line; do
    case $word in [0-9]*.[0-9]*) fact gpu driver "$word" && break ;; esac
  done
  number=0
  for file in /proc/driver/nvidia/gpus/*/information; do
    [ ! -r "$file" ] || while read -r key value; do
      [ "$key" != Model: ] || fact gpu "$number" "$value"
    done <"$file"
    number=$((number + 1))
  done
}

# Asks the driver where it tells nothing by itself. That may take long, so it comes last.
ask_gpus() {
  if [ -r /proc/driver/nvidia/version ] || ! command -v nvidia-smi >/dev/null; then return; fi
  number=0
  nvidia-smi --query-gpu=driver_version,name --format=csv,noheader | while IFS=, read -r driver name; do
    case $driver in [0-9]*) ;; *) continue ;; esac
    [ "$number" != 0 ] || fact gpu driver "$driver"
    fact gpu "$number" "${name# }"
    number=$((number + 1))
  done
}

module_facts() {
  IFS=:
  for module in ${LOADEDMODULES:-}; do
    case $module in
      */*) fact module "${module%/*}" "${module##*/}" ;;
      ?*) fact module "$module" '' ;;
    esac
  done
  unset IFS
}

# --- Files that fix the versions of packages: FOLDER, relative to the project, with a slash at its end, or empty

lock_facts() {
  set +f
  for file in "$1"requirements*.txt "$1"poetry.lock "$1"uv.lock "$1"pdm.lock "$1"pixi.lock "$1"Pipfile.lock "$1"pylock*.toml \
    "$1"environment*.yml "$1"environment*.yaml "$1"conda-lock.yml "$1"conda-*.lock "$1"renv.lock "$1"Manifest.toml \
    "$1"package-lock.json "$1"yarn.lock "$1"pnpm-lock.yaml "$1"Cargo.lock "$1"go.sum "$1"Gemfile.lock "$1"flake.lock; do
    [ ! -f "$file" ] || hash_lock "$file"
  done
  set -f
}

hash_lock() {
  hash=$(sha256sum <"$1" || shasum -a 256 <"$1") && fact lock "${1#./}" "${hash%% *}"
}

# --- The parts

# EXECUTABLE [WORD...]. The order is that of how long things may take.
machine_part() {
  system_facts
  processor_facts
  gpu_facts
  module_facts
  lock_facts ''
  case $1 in
    ./* | /*) ;;
    */*) lock_facts "${1%/*}/" ;;
  esac
}

# PLACES PROCESS EXECUTABLE [WORD...]. PROCESS is `command` if that is the interpreter, and empty if none was seen.
software_part() {
  kept=$1 process=$2
  shift 2
  case $process in
    [0-9]*) ! found=$(running_interpreter "$process" "$1" && packages_found "$kept") || { printf '%s\n' "$found" && return; } ;;
  esac
  ! told_interpreter "$@" || [ "$process" = command ] || fact look start ''
  packages_found "$kept"
}

# Lists the packages, and keeps the places in a file: FILE. False if something is gone by then: uv removes some environments at
# once.
packages_found() {
  [ -z "$1" ] || printf '%s' "$places" >"$1"
  printf '%s' "$places" | list_places
  printf '%s' "$places" | while read -r _ place; do [ -e "$place" ] || exit; done && [ -e "$path" ]
}

# What is known without a group: HIDDEN PLACES EXECUTABLE [WORD...]. Where the command does not tell the interpreter, the
# packages are those that are now in the places of an earlier run.
now_part() {
  hidden=$1 former=$2
  shift 2
  machine_part "$1"
  [ -n "$hidden" ] || software_part '' '' "$@"
  [ -n "$hidden" ] || [ -n "$places" ] || [ ! -f "$former" ] || list_places <"$former"
  ask_gpus
}

# See above.
record() {
  kept=$1 journal=$2 group=$3 start=$4 shell=$5 starter=$6 process=command ending='end'
  shift 6
  exec 3>&1
  # A short group has ended before that is known.
  bounded machine "$@" &
  machine=$!
  if [ "$starter" != container ]; then
    { [ -z "$starter" ] && is_interpreted "$@"; } || process=$(seen_interpreter "$journal" "$group" "$start" "$shell" "$1")
    bounded software "$kept" "$process" "$@" || ending=partial
  fi
  wait "$machine" || ending=partial
  bounded gpus || ending=partial
  echo "$ending"
}

# See above. The same packages are recorded once.
again() {
  now=$(bounded listing "$1") && number=$(echo "$now" | cksum) || return
  packages='^(package|conda|npm|r)	'
  set +f
  for file in "$2" "$2"@*; do
    [ ! -f "$file" ] || [ "$(grep -E "$packages" "$file")" != "$(echo "$now" | grep -E "$packages")" ] || return
  done
  { grep -E -v "$packages|^(end|partial)\$" "$2" && echo "$now" && tail -n 1 "$2"; } >"$2@${number%% *}"
  echo "the packages on ${2##*/*.} changed while the run ran" >>"${2%/*/*}/warnings.txt"
}

places=''
part=$1
shift
{
  case $part in
    record) record "$@" ;;
    again) again "$@" ;;
    machine) machine_part "$@" ;;
    software) software_part "$@" ;;
    gpus) ask_gpus ;;
    listing) list_places <"$1" ;;
    now) now_part "$@" ;;
  esac
} </dev/null 2>/dev/null
# Facts that could not be read are left out.
exit 0
