# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Changes job.sh for a launch with --max_failures: groups are skipped once so many have failed. settings.sh sets
# qanat_max_failures. Each group that fails adds a letter to a file of the run, which all jobs see.
qanat_failures=$qanat_run/.run/failures
qanat_admits=qanat_is_below_limit
qanat_counts=qanat_count_failure

qanat_is_below_limit() {
  qanat_letters=''
  # There is no newline at the end, which makes read fail, and no file before the first failure.
  { IFS= read -r qanat_letters <"$qanat_failures"; } 2>/dev/null
  [ "${#qanat_letters}" -lt "$qanat_max_failures" ]
}

# Called when the end of a group is recorded.
qanat_count_failure() {
  case "$qanat_outcome $qanat_code" in 'exit 0' | skipped* | stopped*) return ;; esac
  { printf x >>"$qanat_failures"; } 2>/dev/null
}
