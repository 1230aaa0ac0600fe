# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Changes job.sh for groups in a frozen copy: variables that lead into the project's tree lead into the copy, too, and
# Python imports from there. settings.sh sets qanat_live and qanat_copy, the roots of both, qanat_python, the folder that
# comes first in PYTHONPATH (empty where the copy has no Python), and qanat_programs, those that come first in PATH.

qanat_use_copy() {
  for qanat_name in PATH PYTHONPATH NODE_PATH PERL5LIB RUBYLIB JULIA_LOAD_PATH JULIA_PROJECT R_LIBS R_LIBS_USER CLASSPATH \
    LD_LIBRARY_PATH; do
    eval "qanat_paths=\${$qanat_name:-}"
    case $qanat_paths in *"$qanat_live"*) qanat_move_paths ;; esac
  done
  [ -z "$qanat_python" ] || qanat_put_first PYTHONPATH "$qanat_python"
  [ -z "$qanat_programs" ] || qanat_put_first PATH "$qanat_programs"
  export PATH
}

# Changes the variable `qanat_name` with the value `qanat_paths`. What the copy has a link to stays as it is.
qanat_move_paths() {
  qanat_rest=$qanat_paths: qanat_paths=''
  while [ -n "$qanat_rest" ]; do
    qanat_path=${qanat_rest%%:*} qanat_rest=${qanat_rest#*:}
    case $qanat_path/ in
      # A frozen copy, or what is ours beside it.
      */.qanat/*) ;;
      "$qanat_live"/*)
        # shellcheck disable=SC3013 # the shells that are used know it
        [ "$qanat_copy${qanat_path#"$qanat_live"}" -ef "$qanat_path" ] ||
          qanat_path=$qanat_copy${qanat_path#"$qanat_live"}
        ;;
    esac
    qanat_paths=$qanat_paths:$qanat_path
  done
  eval "$qanat_name=\${qanat_paths#:}"
}

# Puts paths before those of a variable, unless they are there: NAME PATHS
qanat_put_first() {
  eval "qanat_paths=\${$1:-}"
  case $qanat_paths: in "$2":*) ;; *) eval "export $1=\"\$2\${qanat_paths:+:\$qanat_paths}\"" ;; esac
}

qanat_enter_copy=qanat_use_copy
