#!/bin/sh
# The interpreter of a group, and its packages: the first part of environment.sh.

# Writes a path whose folder is no link: a frozen copy of the code has links to the environments of the project.
physical() { (cd -P -- "$(dirname -- "$1")" && echo "$(pwd -P)/${1##*/}"); }

# Records the interpreter, and lists the packages that it finds: EXECUTABLE [WORD...]
interpreter_facts() {
  executable=$1
  shift
  if [ "$#" = 0 ]; then
    line=$(head -c 200 -- "$executable" | tr -d '\0' | head -n 1)
    # shellcheck disable=SC2086 # these are words
    case $line in '#!'*) set -- ${line#??} ;; esac
  fi
  # Words that start another program, with their options.
  while [ "$#" -gt 0 ]; do
    case ${1##*/} in
      env | nice | nohup | time | stdbuf | taskset | numactl | -* | *=* | [0-9]*) shift ;;
      *) break ;;
    esac
  done
  prefix=''
  case ${1##*/} in
    conda | mamba | micromamba) find_prefix "$@" ;;
    uv | poetry | pdm | rye) [ ! -e .venv/bin/python ] || prefix=.venv ;;
  esac
  path=$prefix/bin/python
  [ -n "$prefix" ] || path=$(command -v "${1:-}") || path=''
  case $path in
    */shims/*) path=$(behind_shim "${path##*/}") || path='' ;;
  esac
  python='3*'
  case $path in */*) name_interpreter ;; esac
  [ -z "${VIRTUAL_ENV:-}" ] || [ "$VIRTUAL_ENV" = "$prefix" ] || environment_packages "$VIRTUAL_ENV"
  [ -z "${CONDA_PREFIX:-}" ] || [ "$CONDA_PREFIX" = "$prefix" ] || environment_packages "$CONDA_PREFIX"
  IFS=:
  for folder in ${PYTHONPATH:-}; do list_packages "$folder"; done
  unset IFS
}

# Sets `prefix` to the environment that `conda run` names: CONDA run [OPTION...]
find_prefix() {
  root=$(command -v "$1") || root=/conda/bin/conda
  root=${CONDA_EXE:-$root}
  root=${MAMBA_ROOT_PREFIX:-${root%/*/*}}
  while [ "$#" -gt 1 ]; do
    case $1 in
      -n | --name) prefix=$root/envs/$2 ;;
      --name=*) prefix=$root/envs/${1#*=} ;;
      -p | --prefix) prefix=$2 ;;
      --prefix=*) prefix=${1#*=} ;;
    esac
    shift
  done
  [ "$prefix" != "$root/envs/base" ] || prefix=$root
}

# Writes the path of the program that a version manager would start: NAME
behind_shim() {
  for manager in pyenv asdf mise; do
    command -v "$manager" >/dev/null && "$manager" which "$1" && return
  done
  return 1
}

# Records `path`, its version and its packages.
name_interpreter() {
  path=$(physical "$path")
  fact interpreter path "$path"
  version=''
  case ${path##*/} in
    python* | pypy*) version=$("$path" -V 2>&1) || version='' ;;
    R | Rscript | julia | node | ruby | octave) version=$("$path" --version 2>&1) || version='' ;;
  esac
  # Some tell more in further lines.
  version=$(echo "$version" | head -n 1)
  [ -z "$version" ] || fact interpreter version "$version"
  case ${path##*/} in
    python* | pypy*) python_packages ;;
    *) environment_packages "${path%/*/*}" conda ;;
  esac
}

# Lists the packages of the Python at `path`, and sets `python` to the version in the names of its folders.
python_packages() {
  version=${version#* }
  case $version in
    3.*.*) python=${version%"${version#3.*.}"} python=${python%.} ;;
  esac
  prefix=${path%/*/*} base=$prefix
  if [ -r "$prefix/pyvenv.cfg" ]; then
    base='' sees_system=''
    while read -r key equals value; do
      case $key$equals$value in
        home=*) home=$value ;;
        # Since Python 3.11, which follows links.
        executable=/*/*) home=${value%/*} ;;
        include-system-site-packages=[Tt]rue) sees_system=1 ;;
      esac
    done <"$prefix/pyvenv.cfg"
    environment_packages "$prefix"
    [ -z "$sees_system" ] || base=${home%/*}
  else
    # A link in /usr/local/bin or in ~/bin leads to where the packages are.
    real=$(readlink -f -- "$path") && base=${real%/*/*}
    [ "$base" = "$prefix" ] || environment_packages "$base"
    environment_packages "$prefix"
    prefix=$base
  fi
  [ -n "$base" ] || return 0
  [ "$base" = "$prefix" ] || environment_packages "$base"
  case $base in /usr) system_packages ;; esac
  [ -n "${PYTHONNOUSERSITE:-}" ] || environment_packages "${PYTHONUSERBASE:-$HOME/.local}"
}

# Debian keeps packages in two places of its own.
system_packages() {
  list_packages /usr/lib/python3/dist-packages
  set +f
  # shellcheck disable=SC2086 # the version may be a pattern
  for folder in /usr/local/lib/python$python/dist-packages; do list_packages "$folder"; done
  set -f
}

# Lists the packages below a prefix: PREFIX [conda, for those of conda only]
environment_packages() {
  set +f
  for file in "$1"/conda-meta/*.json; do
    package=${file##*/}
    package=${package%.json}
    case $package in
      [!*]*-*-*)
        build=${package##*-} package=${package%-*}
        fact conda "${package%-*}" "${package##*-} $build"
        ;;
    esac
  done
  [ -z "${2:-}" ] || return 0
  # shellcheck disable=SC2086 # the version may be a pattern
  for folder in "$1"/lib/python$python/site-packages "$1"/lib64/python$python/site-packages; do
    # In many environments lib64 is a link to lib.
    [ -L "$1/lib64" ] && case $folder in "$1/lib64/"*) continue ;; esac
    list_packages "$folder"
  done
  set -f
}

# Lists the packages of a folder by the names of the folders about them: FOLDER
list_packages() {
  set +f
  for file in "$1"/*.dist-info "$1"/*.egg-info; do
    package=${file##*/}
    package=${package%.*}
    case $package in
      # The last one is what pip leaves if it is interrupted while it removes a package.
      \** | -* | '~'*) ;;
      *-*)
        number=${package#*-}
        fact package "${package%%-*}" "${number%%-*}"
        ;;
      *) fact package "$package" "$(version_inside "$file")" ;;
    esac
  done
}

# The version of a package whose folder or file is named without it: FILE
version_inside() {
  [ ! -d "$1" ] || set -- "$1/PKG-INFO"
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '') return ;;
      'Version: '*) printf '%s' "${line#Version: }" && return ;;
    esac
  done <"$1"
}
