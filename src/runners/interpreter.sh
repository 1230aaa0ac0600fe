#!/bin/sh
# Which interpreter runs a group, and its packages: the first part of environment.sh. Unless it is the command itself, it is
# looked for among the processes of the group, and told from the words of the command where it has not been seen.

# Programs that start another program, perhaps after they have installed packages. Some are written in Python themselves.
is_launcher() {
  case ${1##*/} in
    uv | uvx | conda | mamba | micromamba | pixi | poetry | pdm | rye | hatch | pipenv | tox | nox | pip | pip3* | npm* | npx*) ;;
    *) return 1 ;;
  esac
}

is_interpreter() {
  case ${1##*/} in
    python* | pypy* | R | Rscript | node | nodejs | bun | deno | julia | ruby* | octave* | perl | java) ;;
    *) return 1 ;;
  esac
}

# True if the command is itself the program that interprets the script: EXECUTABLE [WORD...]. No look at its process would tell
# more. On macOS it may be one that starts another.
is_interpreted() {
  [ -h /proc/self/exe ] || return
  if [ "$#" = 1 ]; then
    set_first_line "$1"
    # shellcheck disable=SC2086 # these are words
    set -- "$1" $line
  fi
  shift
  [ "${1##*/}" != env ] || shift
  path=$(command -v -- "$1") && path=$(readlink -f -- "$path") || return
  case ${path##*/} in python* | pypy* | node | nodejs) set_first_line "$path" ;; *) return 1 ;; esac
  [ -z "$line" ] || return
  # As in `python3 -m uv run`.
  for word; do ! is_launcher "$word" || return; done
}

# --- The processes of the group

# Prints the id of the process that interprets the script, once it runs: JOURNAL GROUP START SHELL EXECUTABLE. GROUP and START
# are what stands in the journal before and after the process. Nothing if the group ends before, or after a minute without
# a launcher. The empty lines say on descriptor 3 that this still lives.
seen_interpreter() {
  [ -h /proc/self/exe ] || return 0
  looks=0 idle=0 root='' found=''
  while [ "$looks" -lt 1200 ] && [ "$idle" -lt 120 ]; do
    if [ -z "$root" ]; then root=$(started_process "$1" "$2" "$3" "$4")
    elif [ "$root" = ended ] || ! readlink "/proc/$root/exe" >/dev/null; then return
    else
      before=$found found='' named='' installs=''
      look_below "$root" "$5"
      # What a script starts may be a helper that ends at once.
      if [ -n "$named" ] || [ "${found:-none}" = "$before" ]; then
        echo "${named:-$found}"
        return
      fi
    fi
    looks=$((looks + 1)) pause=0.5
    if [ "$looks" -lt 20 ] || [ -n "$found" ]; then pause=0.03; fi
    if [ "$pause" = 0.5 ]; then
      echo >&3
      [ -n "$installs" ] || idle=$((idle + 1))
    fi
    sleep "$pause" || sleep 1
  done
}

# Prints the process of a group as the journal has it, or `ended`; see seen_interpreter.
started_process() {
  while read -r _ kind index attempt process rest; do
    [ "$index $attempt" = "$2" ] || continue
    case $kind in
      start) [ "$rest" != "$3" ] || [ "$process" = "$4" ] || echo "$process" ;;
      end) case " $rest " in *" ${3%% *} "*) echo ended ;; esac ;;
    esac
  done <"$1" | tail -n 1
}

# Looks at a process and at those below it, the nearest first: PROCESS EXECUTABLE. Sets `named` to the last interpreter whose
# words name the executable, and `found` to the first one, and `installs` if there is a launcher.
look_below() {
  queue=$1 left=50 helpers=''
  while [ -n "$queue" ]; do
    below=''
    for process in $queue; do
      left=$((left - 1)) launches='' children=''
      [ "$left" -gt 0 ] || return 0
      look_at "$process" "$2"
      set +f
      for file in "/proc/$process/task"/*/children; do
        line=''
        read -r line <"$file"
        children="$children $line"
      done
      set -f
      # uv asks interpreters what they are, pip builds packages.
      [ -z "$launches" ] || helpers="$helpers $children " installs=1
      below=$below$children
    done
    queue=$below
    case $queue in *[0-9]*) ;; *) queue='' ;; esac
  done
}

look_at() {
  program=$(readlink "/proc/$1/exe")
  program=${program% (deleted)}
  ! is_launcher "$program" || launches=1
  is_interpreter "$program" || return 0
  process_words "$1"
  names='' script=''
  while read -r word; do
    [ "$word" != "$2" ] || names=1
    case $word in -*) ;; *) [ -n "$script" ] || script=$word ;; esac
  done <<EOF
$words
EOF
  # That of `conda run` has the executable among its words, too. `npm exec` writes over its own words.
  if is_launcher "$script" || is_launcher "${argument%% *}"; then launches=1
  elif [ -n "$names" ]; then named=$1
  else
    case $helpers in *" $1 "*) ;; *) [ -n "$found" ] || found=$1 ;; esac
  fi
}

# Sets `argument` to the first word of a process, and `words` to the others, one a line: PROCESS
process_words() {
  words=$(head -c 20000 "/proc/$1/cmdline" | tr '\n\0' '\001\n')
  argument=${words%%"$newline"*}
  case $words in *"$newline"*) words=${words#*"$newline"} ;; *) words='' ;; esac
}

newline='
'

# Sets what counts of the variables of a process: PROCESS
process_variables() {
  unset PYTHONPATH PYTHONHOME PYTHONNOUSERSITE PYTHONUSERBASE R_HOME R_LIBS R_LIBS_USER R_LIBS_SITE
  search_path='' home=''
  while IFS= read -r line; do
    value=${line#*=}
    case $line in
      PYTHONPATH=*) PYTHONPATH=$value ;;
      PYTHONHOME=*) PYTHONHOME=$value ;;
      PYTHONNOUSERSITE=*) PYTHONNOUSERSITE=$value ;;
      PYTHONUSERBASE=*) PYTHONUSERBASE=$value ;;
      R_HOME=*) R_HOME=$value ;;
      R_LIBS=*) R_LIBS=$value ;;
      R_LIBS_USER=*) R_LIBS_USER=$value ;;
      R_LIBS_SITE=*) R_LIBS_SITE=$value ;;
      PATH=*) search_path=$value ;;
      HOME=*) home=$value ;;
    esac
  done <<EOF
$(tr '\n\0' '\001\n' <"/proc/$1/environ")
EOF
}

# Sets `path` to what a process runs, as it was called: Python finds its environment by that, not by what a link leads to.
# PROCESS. False if it is gone.
called_path() {
  program=$(readlink "/proc/$1/exe") || return
  program=${program% (deleted)}
  set -- "$1" "$argument"
  case $2 in
    /*) ;;
    */*) set -- "$1" "/proc/$1/cwd/$2" "$(pwd)/$2" ;;
    *)
      IFS=:
      for folder in $search_path; do set -- "$@" "$folder/$2"; done
      unset IFS
      set -- "$@" "$program"
      ;;
  esac
  shift
  for path; do
    [ "$(readlink -f -- "$path")" != "$program" ] || return 0
  done
  return 1
}

# Finds the interpreter that was seen: PROCESS EXECUTABLE. False if it is gone.
running_interpreter() {
  process_words "$1"
  process_variables "$1"
  cwd=$(readlink "/proc/$1/cwd") && called_path "$1" || return
  executable=$2
  # shellcheck disable=SC2086 # each line is a word
  { IFS=$newline; set -- $words; unset IFS; }
  name_interpreter "$@"
}

# --- The words of the command

# Finds the interpreter that a command starts: EXECUTABLE [WORD...]. False if only another program is known.
told_interpreter() {
  executable=$1 cwd=$(pwd) home=${HOME:-} behind='' scripts=0
  [ "$#" = 1 ] || shift
  while [ "$#" -gt 0 ] && [ "$scripts" -lt 5 ]; do
    case ${1##*/} in
      # Words that start another program, with their options.
      env | nice | nohup | time | stdbuf | taskset | numactl | -* | *=* | [0-9]*) shift && continue ;;
    esac
    : "${behind:=$1}"
    if is_launcher "$1"; then
      launched_prefix "$@"
      shift "$taken"
      program=$prefix/bin/${1:-python}
      if [ -z "$prefix" ] || [ ! -x "$program" ]; then break; fi
      [ "$#" = 0 ] || shift
      set -- "$program" "$@"
    fi
    path=$(command -v -- "$1") || path=$1
    case $path in
      */shims/*) path=$(behind_shim "${path##*/}") || break ;;
    esac
    [ -f "$path" ] || break
    if is_interpreter "$path"; then
      shift
      name_interpreter "$@"
      return
    fi
    set_first_line "$path"
    scripts=$((scripts + 1))
    # shellcheck disable=SC2086 # these are words
    set -- $line
  done
  fact unknown interpreter "behind ${behind##*/}"
  return 1
}

# Sets `line` to the program that a script names in its first line, empty if there is none: FILE
set_first_line() {
  line=$(head -c 1000 -- "$1" | tr -d '\0' | head -n 2)
  case $line in
    # What pip writes if the path is longer than such a line may be.
    '#!/bin/sh'*"'''exec' "*)
      line=${line#*"'''exec' "}
      line=${line#\"}
      line=${line%%[\" ]*}
      ;;
    '#!'*) line=${line%%"$newline"*} line=${line#??} ;;
    *) line='' ;;
  esac
}

# Sets `prefix` to the environment that a launcher uses, empty if that is not known before it runs, and `taken` to the number of
# words that come before the program: LAUNCHER run [OPTION...] [WORD...]
launched_prefix() {
  prefix='' taken=1
  [ "${2:-}" = run ] || return 0
  root=$(command -v "$1") || root=/conda/bin/conda
  launcher=${1##*/} words=$#
  case $launcher in
    # A script may name packages of its own.
    uv) grep -q '^# /// script' -- "$executable" || prefix=${UV_PROJECT_ENVIRONMENT:-.venv} ;;
    poetry | pdm | rye) [ -n "${VIRTUAL_ENV:-}" ] || prefix=.venv ;;
    pixi) prefix=.pixi/envs/default ;;
  esac
  shift 2
  while [ "$#" -gt 0 ]; do
    case $launcher,$1 in
      uv,--no-sync | uv,--frozen | uv,--locked | uv,--offline | uv,-q | uv,--quiet | *,--) ;;
      pixi,-e | pixi,--environment) prefix=.pixi/envs/${2:-} && shift ;;
      pixi,--environment=*) prefix=.pixi/envs/${1#*=} ;;
      *conda,-n | *mamba,-n | *conda,--name | *mamba,--name) conda_environment "${2:-}" && shift ;;
      *conda,--name=* | *mamba,--name=*) conda_environment "${1#*=}" ;;
      *conda,-p | *mamba,-p | *conda,--prefix | *mamba,--prefix) prefix=${2:-} && shift ;;
      *conda,--prefix=* | *mamba,--prefix=*) prefix=${1#*=} ;;
      *conda,--cwd | *mamba,--cwd) shift ;;
      *conda,-* | *mamba,-*) ;;
      # Others may choose another environment.
      *,-*) prefix='' ;;
      *) break ;;
    esac
    [ "$#" = 0 ] || shift
  done
  taken=$((words - $#))
}

# Sets `prefix` to the environment with a name, of the conda at `root`: NAME
conda_environment() {
  root=${CONDA_EXE:-$root}
  root=${MAMBA_ROOT_PREFIX:-${root%/*/*}}
  prefix=$root/envs/$1
  [ "$1" != base ] || prefix=$root
}

# Writes the path of the program that a version manager would start: NAME
behind_shim() {
  for manager in pyenv asdf mise; do
    command -v "$manager" >/dev/null && "$manager" which "$1" && return
  done
  return 1
}
