#!/bin/sh
# A first session with Qanat on the Iris data, in a temporary copy of this folder. Prints each command, then its output.
# --keep leaves the copy, and says where it is and what to try there.
set -eu

case ${1-} in
  '') keep= ;;
  --keep) keep=yes ;;
  *)
    echo "demo.sh: unknown option $1: the only one is --keep" >&2
    exit 2
    ;;
esac

example=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$example/../.." && pwd)/bin/run.js
folder=$(mktemp -d)
[ -n "$keep" ] || trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

cp -R "$example" "$folder/iris"
cd "$folder/iris"
# Only for this process: the demo makes commits, and this machine may have no git identity yet.
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.org
export GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.org
git init --quiet
if [ -n "$keep" ]; then
  git config user.name Demo
  git config user.email demo@example.org
fi
git add --all
git commit --quiet --message 'Iris data and scripts'

qanat() { node "$program" "$@"; }

show() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

show 'qanat init --yes'
show 'qanat dataset new -f dataset.yaml'
show 'qanat experiment new -f experiment.yaml'
show 'qanat run --dry_run summary_iris --bins 20 -R "--seed 0 3 1"'
show 'qanat run summary_iris --bins 20 -R "--seed 0 10 1" --n_threads 2 --tag baseline'
show 'qanat experiment status summary_iris'
show 'qanat run_show 1'
show 'qanat run_logs 1.3'
show 'qanat experiment new -f classifier.yaml'
show 'qanat run -V "--rate 0.001 0.01 0.1 1" classify_iris -R "--seed 0 5 1" --n_threads 2'
show 'qanat compare classify_iris --over seed'
show 'qanat plot classify_iris -o results/history.svg'

[ -z "$keep" ] || cat <<TEXT

The project is kept in $folder/iris. Try there, for example:
  cd $folder/iris
  alias qanat='node $program'
  qanat                                     # where you are, and what to type next
  qanat run_explore classify_iris           # browse runs, with their output
  qanat compare classify_iris --by rate     # what came out
  qanat view --open                         # the same in the browser
  qanat --help
TEXT
