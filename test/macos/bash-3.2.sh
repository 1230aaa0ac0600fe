# shellcheck shell=bash
# Read by bash before every script of the simulated Mac: takes away what version 3.2, the one of macOS, does not have. What
# its parser refuses, and its own mistakes, cannot be simulated.
unset BASHPID BASH_ARGV0 EPOCHREALTIME EPOCHSECONDS SRANDOM
enable -n compopt mapfile readarray
BASH_VERSION='3.2.57(1)-release'
