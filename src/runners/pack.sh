# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Changes the pool for a job of a scheduler that runs a range of the groups of a launch: its job is the keeper, and nobody tells it
# to begin. A job may be started again, and a later one may take up what it did not reach.
#
# Files of a range, beside job.sh, besides those of a pool:
#     pool/FIRST/GENERATION.START/     the pool of one start of a job; only that start makes this folder
#     pool/FIRST/owner                 the generation that may take groups: a job that has been replaced takes none
#     …/plan                           the lines of the groups that this start may take
#     …/stop                           no further group is taken
#     …/longest                        how long a group took at most, in hundredths of a second
#
# settings.sh sets qanat_gpus (GPUs of a group, or 0) and qanat_job_time (seconds that a job has; empty without a limit).
qanat_acquire=qanat_may_take qanat_release=qanat_note_length qanat_hurries=qanat_end_in_time qanat_hurried=''
qanat_begun_at='' qanat_ready='' qanat_job_end=''

# In a shell of the group, the name of the journal tells the pool and the slot, and the worker has chosen the GPUs.
if [ "$qanat_mode" = one ]; then
  qanat_place=${qanat_journal##*/"$qanat_journals"}
  qanat_start_of_job=${qanat_place#*.}
  qanat_pool=$qanat_pool/${qanat_place%%.*}/${qanat_start_of_job%_*} qanat_slot=${qanat_place##*_}
  qanat_peak=$qanat_pool/peak_$qanat_slot
  if [ "$qanat_gpus" != 0 ]; then
    qanat_dealt=${CUDA_VISIBLE_DEVICES:-${ROCR_VISIBLE_DEVICES:-}}
    qanat_docker_gpus=\"device=$qanat_dealt\"
  fi
fi

# --- The job

# Runs groups of the plan: FIRST COUNT GENERATION
qanat_pack() {
  qanat_begin_keeping
  # The end of its time is near. It acts on that between two looks at its workers: in one, it does not know them all.
  trap 'qanat_hurried=1 qanat_woken=1' URG
  qanat_find_end
  qanat_range=$qanat_pool/$1 qanat_generation=$3 qanat_start_number=0
  mkdir -p "$qanat_range" "$qanat_run/.run/records" || qanat_give_up "cannot write to $qanat_run/.run"
  ! qanat_is_replaced || qanat_leave_alone "a later job has the groups of $qanat_job"
  printf '%s\n' "$qanat_generation" >"$qanat_range/owner" || qanat_give_up "cannot write to $qanat_range"
  until mkdir "$qanat_range/$qanat_generation.$qanat_start_number" 2>/dev/null; do
    [ -d "$qanat_range/$qanat_generation.$qanat_start_number" ] || qanat_give_up "cannot write to $qanat_range"
    qanat_start_number=$((qanat_start_number + 1))
  done
  qanat_pool=$qanat_range/$qanat_generation.$qanat_start_number
  [ "$qanat_generation.$qanat_start_number" = 0.0 ] || qanat_dealt_before=1
  qanat_earlier=$qanat_journals$1.
  qanat_journals=$qanat_earlier$qanat_generation.${qanat_start_number}_
  qanat_plan_range "$1" "$2"
  qanat_machine="{\"host\":\"$qanat_host\"}"
  exec </dev/null
  qanat_keep_workers
  # What it has not reached is left to a later job.
  printf '1 over %s %s\n' "$qanat_job" "$qanat_restarts" >>"$qanat_run/.run/records/${qanat_journals}0"
  # A scheduler must not count a job that was told to end as finished.
  [ "$qanat_ending" = 0 ] || exit 143
  exit 0
}

# True if a job of a later generation has the range.
qanat_is_replaced() {
  qanat_owner=''
  { read -r qanat_owner <"$qanat_range/owner"; } 2>/dev/null
  [ "${qanat_owner:-0}" -gt "$qanat_generation" ]
}

# Writes the plan of this start: FIRST COUNT
qanat_plan_range() {
  qanat_plan=$qanat_pool/plan qanat_done=' '
  [ -z "$qanat_dealt_before" ] || qanat_find_done
  {
    echo
    qanat_read_from "${0%/*}/plan" "$1" | head -n "$2" | qanat_leave_out
  } >"$qanat_plan"
  qanat_total=$(($1 + $2))
  [ -z "$qanat_dealt_before" ] || qanat_whole=''
  qanat_found=$(wc -l <"$qanat_plan")
  [ -n "$qanat_dealt_before" ] || [ "$qanat_found" -gt 1 ] || qanat_give_up "cannot read ${0%/*}/plan"
  [ "$qanat_slots" -lt "$qanat_found" ] || qanat_slots=$((qanat_found - 1))
}

# Copies the lines of a plan without groups that have ended, were begun by another job, or belong to a later launch.
qanat_leave_out() {
  if [ -z "$qanat_dealt_before" ] && [ ! -d "$qanat_run/.run/launch_$((qanat_attempt + 1))" ]; then
    cat
    return
  fi
  while IFS= read -r qanat_line; do
    case $qanat_done in *" ${qanat_line%% *} "*) continue ;; esac
    qanat_is_superseded "${qanat_line%% *}" || printf '%s\n' "$qanat_line"
  done
}

# Sets qanat_done to the groups of the range that no start of this job takes up again. One that was told to end runs again only if
# that was at an earlier start of this job: a failure of another one is its end.
qanat_find_done() {
  for qanat_file in "$qanat_run/.run/records/$qanat_earlier"*; do
    while read -r _ qanat_kind qanat_which _ qanat_first qanat_second _ qanat_fourth _ _ _ _ qanat_other _; do
      case $qanat_kind in
        start) [ "$qanat_fourth" != "$qanat_job" ] || continue ;;
        end)
          case "$qanat_second $qanat_first $qanat_other" in
            "stopped "*" $qanat_job" | "exit 143 $qanat_job") continue ;;
          esac
          ;;
        *) continue ;;
      esac
      case $qanat_done in *" $qanat_which "*) ;; *) qanat_done="$qanat_done$qanat_which " ;; esac
    done <"$qanat_file"
  done 2>/dev/null
}

# --- Time

# Sets qanat_job_end to the moment at which the scheduler ends this job, if that is known.
qanat_find_end() {
  qanat_look_at_clock
  if [ -n "${SLURM_JOB_END_TIME:-}" ]; then qanat_job_end=$((qanat_moment + 100 * (SLURM_JOB_END_TIME - $(date +%s))))
  elif [ -n "$qanat_job_time" ]; then qanat_job_end=$((qanat_moment + 100 * qanat_job_time))
  fi
}

# Called before each look at the workers. Shortly before the limit, what runs is ended, and nothing else begins.
qanat_end_in_time() {
  [ -n "$qanat_hurried" ] || return 0
  qanat_hurried=''
  { true >"$qanat_pool/stop"; } 2>/dev/null
  for qanat_slot in $qanat_living; do
    eval "kill -URG \"\$qanat_worker_$qanat_slot\"" 2>/dev/null
  done
}

# True if a worker may take a further group: none if the longest one so far would not end in time.
qanat_may_take() {
  [ ! -e "$qanat_pool/stop" ] && ! qanat_is_replaced || return
  [ -n "$qanat_ready" ] || qanat_share_gpus || return
  qanat_ready=1
  qanat_note_kills
  [ -n "$qanat_job_end" ] || return 0
  qanat_look_at_clock
  qanat_begun_at=$qanat_moment qanat_longest=0
  { read -r qanat_longest _ <"$qanat_pool/longest"; } 2>/dev/null
  [ $((qanat_moment + ${qanat_longest:-0})) -lt "$qanat_job_end" ]
}

# Called after a group.
qanat_note_length() {
  [ -n "$qanat_begun_at" ] || return 0
  qanat_look_at_clock
  qanat_longest=0
  { read -r qanat_longest _ <"$qanat_pool/longest"; } 2>/dev/null
  [ $((qanat_moment - qanat_begun_at)) -le "${qanat_longest:-0}" ] || qanat_note longest $((qanat_moment - qanat_begun_at))
}

# --- GPUs

# Lets the groups of this slot see its share of the GPUs that the scheduler gave the job.
qanat_share_gpus() {
  [ "$qanat_gpus" != 0 ] || return 0
  qanat_dealt=''
  for qanat_variable in CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES; do
    eval "qanat_given=\${$qanat_variable:-}"
    [ -n "$qanat_given" ] || continue
    qanat_share=$(printf %s "$qanat_given" | cut -d , -f "$((qanat_slot * qanat_gpus + 1))-$(((qanat_slot + 1) * qanat_gpus))")
    qanat_commas=$(printf %s "$qanat_given" | tr , '\n' | wc -l)
    if [ $((qanat_commas + 1)) -lt $(((qanat_slot + 1) * qanat_gpus)) ]; then
      echo "qanat: the job $qanat_job has the GPUs $qanat_given, too few for slot $qanat_slot" >&2
      return 1
    fi
    export "$qanat_variable=$qanat_share"
    qanat_dealt=$qanat_share qanat_docker_gpus=\"device=$qanat_share\"
  done
}
