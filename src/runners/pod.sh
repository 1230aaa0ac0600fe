# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Changes the pool for a pod of Kubernetes: each pod is a keeper with one worker, nobody tells it to begin, and all pods of a launch
# share the claims and the numbers of slots. A pod that takes the place of another one takes a number of its own: what that one had
# claimed counts as begun, since nobody here knows whether it lives.
qanat_acquire=qanat_note_kills
# A hook for the end of the pod, empty here: pour.sh sets a function.
qanat_closes=:

# A script may empty its folder: claims are elsewhere, so that no later pod takes the group for free.
qanat_dealt_before=1

# Runs groups of the plan until none is left.
qanat_be_pod() {
  qanat_begin_keeping
  mkdir -p "$qanat_pool" "$qanat_run/.run/records" || qanat_give_up "cannot write to $qanat_run/.run"
  [ -r "${0%/*}/plan" ] || qanat_give_up "cannot read ${0%/*}/plan"
  qanat_machine="{\"host\":\"$qanat_host\"}"
  exec </dev/null
  qanat_keep_workers
  "$qanat_closes"
  # A pod that was told to end has not come to the end of the plan.
  [ "$qanat_ending" = 0 ] || exit 143
  [ -n "$qanat_none_left" ] || exit 1
  exit 0
}
