#!/bin/sh
# Records the environment in which the groups of a launch run on this host. job.sh starts it once for each launch and host,
# with the variables of the group:
#
#     environment.sh CONTAINED EXECUTABLE [WORD...]
#         writes facts, then a line `end`, or `partial` if two seconds were not enough. CONTAINED is not empty if the group
#         runs in a container, whose programs cannot be seen from here. The words are those of the executable command.
#
# A fact is a line KIND<tab>NAME<tab>VALUE. Nothing is imported, and no variable is recorded but LOADEDMODULES: packages are
# known by the names of their folders.

if [ "$1" != facts ]; then
  if command -v timeout >/dev/null 2>&1; then
    # It makes a process group of its own, which is killed as a whole.
    timeout -s KILL 2 /bin/sh "$0" facts "$@"
  else
    set -m
    /bin/sh "$0" facts "$@" &
    qanat_facts=$!
    { sleep 2; kill -KILL "-$qanat_facts"; } &
    qanat_watch=$!
    wait "$qanat_facts"
  fi
  qanat_code=$?
  [ -z "$qanat_watch" ] || kill -KILL "-$qanat_watch"
  qanat_last=end
  [ "$qanat_code" = 0 ] || qanat_last=partial
  echo "$qanat_last"
  exit
fi

shift
unset CDPATH
export LC_ALL=C

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

# --- The order is that of how long things may take

qanat_contained=$1
shift
set -f
{
  system_facts
  processor_facts
  gpu_facts
  module_facts
  lock_facts ''
  case $1 in
    ./* | /*) ;;
    */*) lock_facts "${1%/*}/" ;;
  esac
  [ -n "$qanat_contained" ] || interpreter_facts "$@"
  ask_gpus
} </dev/null 2>/dev/null
# What is missing, is not there.
exit 0
