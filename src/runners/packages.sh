#!/bin/sh
# The packages of an interpreter: the second part of environment.sh. First come the places in which they are, in the order
# in which the interpreter looks there, as lines KIND PATH; then what is found in these places, of which the first counts.

# Records the interpreter at `path`, called in `cwd`, and sets `places`: [WORD...]
name_interpreter() {
  # A frozen copy of the code has links to the environments of the project.
  path=$(cd -P -- "$(dirname -- "$path")" && echo "$(pwd -P)/${path##*/}")
  case $path in
    */R | */Rscript) r_root ;;
  esac
  # python and python3 of one environment are the same.
  [ "$(readlink -f -- "${path%/*}/python")" != "$(readlink -f -- "$path")" ] || path=${path%/*}/python
  case $path in
    # uv makes it for this one process.
    */.tmp*/bin/* | */environments-v[0-9]*/bin/*) fact interpreter path "$(readlink -f -- "$path")" ;;
    *) fact interpreter path "$path" ;;
  esac
  version=''
  case ${path##*/} in
    python* | pypy*) version=$("$path" -V 2>&1) || version='' ;;
    R) version=$(sed -n 's/^Version: */R version /p' "$root/library/base/DESCRIPTION") ;;
    *) version=$("$path" --version 2>&1) || version='' ;;
  esac
  # Some tell more in further lines.
  version=${version%%"$newline"*}
  case ${path##*/} in
    python* | pypy*) python_places "$@" ;;
    node | nodejs) node_places "$@" ;;
    R) r_places ;;
    *)
      conda_place "${path%/*/*}"
      fact unknown packages "of ${path##*/}"
      ;;
  esac
  [ -z "$version" ] || fact interpreter version "$version"
}

# Adds a place, if there is one: KIND PATH
place() {
  case $2 in *[[:cntrl:]]*) return ;; esac
  case $newline$places in *"$newline$1 $2$newline"*) return ;; esac
  [ ! -e "$2" ] || places=$places$1\ $2$newline
}

conda_place() { place conda "$1/conda-meta"; }

# --- Python

# Where a Python with these options finds packages: [WORD...]
python_places() {
  no_variables='' no_user='' no_site=''
  python_options "$@"
  [ -z "$no_variables" ] || unset PYTHONPATH PYTHONHOME PYTHONNOUSERSITE
  no_user=$no_user${PYTHONNOUSERSITE:-}
  IFS=:
  for folder in ${PYTHONPATH:-}; do
    case $folder in /*) plain_place "$folder" ;; *) plain_place "$cwd/$folder" ;; esac
  done
  unset IFS
  number=${version#* } python='3*' real=$(readlink -f -- "$path")
  case $number in
    3.*.*) python=${number%"${number#3.*.}"} python=${python%.} ;;
  esac
  case ${real##*/} in
    pypy*) python=pypy$python ;;
    *) python=python$python ;;
  esac
  prefix=${path%/*/*} base='' sees_system=''
  if [ -r "$prefix/pyvenv.cfg" ]; then
    while read -r key equals value; do
      case $key$equals$value in
        home=*) home_folder=$value ;;
        # Since Python 3.11, which follows links.
        executable=/*/*) home_folder=${value%/*} ;;
        include-system-site-packages=[Tt]rue) sees_system=1 ;;
      esac
    done <"$prefix/pyvenv.cfg"
    [ -n "$no_site" ] || site_places "$prefix"
    [ -n "$sees_system" ] || return 0
    base=${home_folder%/*}
  else
    # A link in /usr/local/bin or in ~/bin leads to where the packages are.
    base=${PYTHONHOME:-${real%/*/*}}
  fi
  [ -z "$no_site" ] || return 0
  [ -n "$no_user" ] || site_places "${PYTHONUSERBASE:-$home/.local}"
  site_places "$base"
}

# Sets what the options of a Python leave out: [WORD...]
python_options() {
  takes=''
  for word; do
    if [ -n "$takes" ]; then
      takes=''
      continue
    fi
    case $word in
      --check-hash-based-pycs) takes=1 && continue ;;
      --*) continue ;;
      -?*) word=${word#-} ;;
      *) return ;;
    esac
    while [ -n "$word" ]; do
      letter=${word%"${word#?}"} word=${word#?}
      case $letter in
        c | m) return ;;
        W | X)
          [ -n "$word" ] || takes=1
          word=''
          ;;
        I) no_variables=1 no_user=1 ;;
        E) no_variables=1 ;;
        s) no_user=1 ;;
        S) no_site=1 ;;
      esac
    done
  done
}

# The folders of packages below a prefix, those that conda has installed, and those of Debian.
site_places() {
  conda_place "$1"
  set +f
  # shellcheck disable=SC2086 # the version may be a pattern
  for folder in "$1/lib/"$python/site-packages "$1/lib/"${python}t/site-packages "$1/lib64/"$python/site-packages \
    "$1/site-packages"; do
    # In many environments lib64 is a link to lib.
    [ -L "$1/lib64" ] && case $folder in "$1/lib64/"*) continue ;; esac
    site_place "$folder" 3
  done
  if [ "$1" = /usr ]; then
    # shellcheck disable=SC2086 # the version may be a pattern
    for folder in /usr/local/lib/$python/dist-packages /usr/lib/python3/dist-packages; do place site "$folder"; done
  fi
  set -f
}

# A folder of packages, and those to which its .pth files lead: FOLDER DEPTH
site_place() {
  [ -d "$1" ] && [ "$2" -gt 0 ] || return 0
  place site "$1"
  set +f
  for file in "$1"/*.pth; do
    [ ! -f "$file" ] || while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        # What uv makes of an environment and further packages.
        'import '*addsitedir*)
          set -- "$1" "$2" "$line"
          while case $3 in *\"/*\"*) ;; *) false ;; esac do
            set -- "$1" "$2" "${3#*\"/}"
            site_place "/${3%%\"*}" $(($2 - 1))
            set -- "$1" "$2" "${3#*\"}"
          done
          ;;
        '' | '#'* | import[[:blank:]]*) ;;
        /*) plain_place "$line" ;;
        *) plain_place "$1/$line" ;;
      esac
    done <"$file"
  done
}

# A folder on the path of Python that need not hold packages.
plain_place() {
  set +f
  for file in "$1"/*.dist-info "$1"/*.egg-info; do
    if [ -e "$file" ]; then
      place site "$1"
      break
    fi
  done
  set -f
}

# --- Node and R

# All folders above a script in which Node looks: [WORD...]
node_places() {
  script=''
  for word; do
    case $word in -*) continue ;; esac
    case $word in /*) ;; *) word=$cwd/$word ;; esac
    if [ -f "$word" ]; then
      script=$word
      break
    fi
  done
  folder=$(readlink -f -- "${script:-$executable}") && folder=${folder%/*}
  while :; do
    if [ -e "$folder/.pnp.cjs" ]; then fact unknown npm "of $folder/.pnp.cjs"; fi
    place npm "$folder/node_modules"
    [ -n "$folder" ] || break
    folder=${folder%/*}
  done
}

# Sets `root` to the home of R, and `path` to its command, whatever its processes are called.
r_root() {
  root=${R_HOME:-}
  if [ -z "$root" ]; then
    root=$(readlink -f -- "$path") root=${root%/bin/*}
    for folder in "$root/lib/R" "$root/lib64/R"; do
      [ ! -d "$folder/library/base" ] || root=$folder
    done
  fi
  path=$root/bin/R
}

# The libraries of R; renv has one in the folder of the project.
r_places() {
  number=${version##* } number=${number%.*}
  conda_place "${root%/lib*/R}"
  [ ! -e "$cwd/renv/activate.R" ] || {
    set +f
    for folder in "$cwd"/renv/library/R-"$number"/* "$cwd"/renv/library/*/R-"$number"/*; do place r "$folder"; done
    set -f
  }
  IFS=:
  for folder in ${R_LIBS:-}; do place r "$folder"; done
  set +f
  for folder in ${R_LIBS_USER:-"$home"/R/*-library/"$number"}; do place r "$folder"; done
  set -f
  for folder in ${R_LIBS_SITE:-/usr/local/lib/R/site-library:"$root"/site-library}; do place r "$folder"; done
  unset IFS
  place r "$root/library"
}
