# shellcheck shell=bash
# Read before every script that sh of the simulated Mac runs.
# shellcheck source=test/macos/bash-3.2.sh
. "${BASH_ENV%/*}/bash-3.2.sh"
set -o posix
shopt -s xpg_echo
