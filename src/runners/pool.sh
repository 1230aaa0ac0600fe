# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# The pool: deals the groups of a launch to slots, where no scheduler does. A keeper forks a worker for each slot, and each
# worker claims groups and runs them, one after the other. The truth is in the claims and in the journals of the workers.
# The keeper only keeps limits, replaces workers that were killed, and passes on the order to stop.
#
# Files of a launch, beside job.sh:
#     plan, plan.index       a line for each group of the launch, and the byte at which each line begins
#     pool/keeper            identity of the keeper, as JSON
#     pool/next              no group before this position is free; it may be out of date
#     pool/slot_N            the group that the worker of a slot claims, then runs: `POSITION INDEX`; `begins`, `over`, or `rests` if
#                            there are fewer slots now
#     pool/peak_N            the most memory that was seen of a group: `INDEX BYTES`
#     pool/again_POSITION.N  claims a group whose worker was killed before it had started it
#     pool/slots             how many slots there are now, if that was changed
#     pool/again             positions of groups that were claimed, but not started, when all workers of an earlier keeper had died
#
# settings.sh sets qanat_slots, qanat_total (the number of groups), qanat_whole (not empty if these are all groups of the run, so that
# the position of each is its index), qanat_time_limit (seconds) and qanat_memory_limit (bytes);
# these two are empty without a limit.
qanat_pooled=1 qanat_pool=${0%/*}/pool qanat_plan=${0%/*}/plan
# Not empty if the groups were dealt before: those that have a stdout.txt may have to run again, so that other files claim them.
qanat_dealt_before=''
# Where the keeper notes the memory of the group, also if that has a shell of its own.
qanat_peak=$qanat_pool/peak_${qanat_journal##*_}
# Hooks before the claim of a group, and before the first one, empty here: gpus.sh sets functions.
qanat_acquire=: qanat_can_deal=:
# A worker notes its position in the plan for the others each time it has got so far, and reads what they have noted once so many
# groups one after another were taken. Each note is a change of the file system, for which a busy disk may let a worker wait.
qanat_stride=16 qanat_most_passed=4

# --- Clock and processes

# Sets qanat_moment to hundredths of a second since some moment.
if [ -r /proc/uptime ]; then
  qanat_look_at_clock() {
    read -r qanat_moment _ </proc/uptime
    # A leading zero would make the fraction octal.
    qanat_fraction=${qanat_moment#*.}
    qanat_moment=$((${qanat_moment%.*} * 100 + ${qanat_fraction#0}))
  }
else
  qanat_look_at_clock() { qanat_moment=$(($(date +%s) * 100)); }
fi

# Sets qanat_state and qanat_begun, the state of a process and its start as the system tells it; false if there is none: PID
qanat_look_at() {
  qanat_state='' qanat_begun=''
  if [ -n "$qanat_proc" ]; then
    { read -r qanat_stat <"/proc/$1/stat"; } 2>/dev/null || return
    # The name is in parentheses and may contain anything.
    qanat_stat=${qanat_stat##*\) }
    # shellcheck disable=SC2086 # these are words
    set -- $qanat_stat
    qanat_state=$1
    shift 19
    qanat_begun=$1
  else
    # shellcheck disable=SC2046 # these are words
    set -- $(LC_ALL=C TZ=UTC ps -o stat= -o lstart= -p "$1")
    [ $# -gt 1 ] || return
    qanat_state=$1
    shift
    qanat_begun=$*
  fi
}

# Prints the identity of a process as JSON: PID
qanat_identity() {
  qanat_look_at "$1"
  printf '%s,"pid":%s,"start":"%s"}\n' "${qanat_machine%\}}" "$1" "$qanat_begun"
}

# Writes a line to a file of the pool, in place: a file that was emptied before is flushed to the disk: FILE LINE
# shellcheck disable=SC3044 # POSIX has the redirection
qanat_note() { { printf '%-39s\n' "$2" 1<>"$qanat_pool/$1"; } 2>/dev/null; }

# Sets qanat_ordered to how many slots there are now; false if that was not changed.
qanat_read_slots() {
  [ -e "$qanat_pool/slots" ] && { read -r qanat_ordered <"$qanat_pool/slots"; } 2>/dev/null
}

# --- A worker

# Claims groups and runs them until none is left; first one whose worker was killed before it had started it: SLOT [POSITION]
qanat_work() {
  qanat_slot=$1 qanat_next=0 qanat_ahead=0 qanat_made=0 qanat_passed=0 qanat_last_word=over qanat_kept=$qanat_plan
  qanat_find_self
  qanat_traps
  qanat_use_groups
  qanat_journal=$qanat_run/.run/records/$qanat_journals$qanat_slot qanat_peak=$qanat_pool/peak_$1
  # The newline in front ends a line that a killed worker left incomplete.
  printf '\n1 worker %s\n' "$(qanat_identity "$qanat_self")" >>"$qanat_journal"
  [ -z "${2:-}" ] || qanat_take_again "$2"
  if [ "$1" = 0 ] && [ -e "$qanat_pool/again" ]; then
    while read -r qanat_position <&9; do
      qanat_find_generation "$qanat_position"
      qanat_take_again "$qanat_position"
    done 9<"$qanat_pool/again"
  fi
  qanat_at=0
  # The plan is read line by line, since a shell that holds much of it would copy that for each group that it starts.
  exec 9<"$qanat_plan"
  read -r _ <&9
  while IFS= read -r qanat_line <&9; do
    if [ "$qanat_at" -ge "$qanat_next" ]; then
      qanat_index=${qanat_line%% *} qanat_folder=$qanat_run${qanat_folders:+/group_${qanat_line%% *}}
      qanat_find_claim
      if [ -e "$qanat_claim" ]; then qanat_pass
      else
        { qanat_goes_on && "$qanat_acquire"; } || break
        [ -d "$qanat_folder" ] || qanat_make_ahead
        ! { qanat_is_free && qanat_claim; } || { qanat_kept=$qanat_claim; eval "qanat_launch $qanat_line"; }
        "$qanat_release"
      fi
    fi
    qanat_at=$((qanat_at + 1))
  done
  qanat_note "slot_$qanat_slot" "$qanat_last_word"
  kill -USR1 "$qanat_keeper" 2>/dev/null
  exit 0
}

# False if this worker takes no further group: it was told to end, or the folder of the run was moved away or removed with those
# around it, or there are fewer slots now. Waits while somebody is asked whether the run is to go on.
qanat_goes_on() {
  # A limit is that of one group.
  case $qanat_stopped in timeout | oom) qanat_stopped='' ;; esac
  while [ -z "$qanat_stopped" ] && [ -e "$qanat_run/.run/hold" ] && qanat_is_held; do sleep 0.2 2>/dev/null || sleep 1; done
  [ -z "$qanat_stopped$qanat_moved" ] && [ -d "${qanat_run%/*}" ] || return
  ! qanat_read_slots || [ "$qanat_slot" -lt "$qanat_ordered" ] || { qanat_last_word=rests; return 1; }
}

# True if the process that holds the starts lives.
qanat_is_held() {
  qanat_holder=''
  { IFS= read -r qanat_holder <"$qanat_run/.run/hold"; } 2>/dev/null
  qanat_pid_of_holder=${qanat_holder##*'"pid":'} qanat_start_of_holder=${qanat_holder##*'"start":"'}
  qanat_look_at "${qanat_pid_of_holder%%[!0-9]*}" && [ "$qanat_begun" = "${qanat_start_of_holder%%\"*}" ]
}

# Makes the folder of the group qanat_index, and of those that follow if groups are quick: for each by itself, mkdir would take as
# long as a group that does nothing.
qanat_make_ahead() {
  [ -d "${qanat_run%/*}" ] || return
  qanat_look_at_clock
  if [ $((qanat_moment - qanat_made)) -gt 100 ] || [ -z "$qanat_whole" ]; then qanat_ahead=1
  elif [ "$qanat_ahead" -lt 64 ]; then qanat_ahead=$((2 * qanat_ahead))
  fi
  qanat_made=$qanat_moment qanat_other=$qanat_index qanat_names=''
  while [ "$qanat_other" -lt $((qanat_index + qanat_ahead)) ] && [ "$qanat_other" -lt "$qanat_total" ]; do
    qanat_names="$qanat_names group_$qanat_other" qanat_other=$((qanat_other + 1))
  done
  [ -n "$qanat_whole" ] || qanat_names=group_$qanat_index
  # shellcheck disable=SC2086 # these are words
  if [ -n "$qanat_folders" ]; then (cd "$qanat_run" && exec mkdir -p $qanat_names)
  else mkdir -p "$qanat_run"
  fi 2>/dev/null
}

# Sets qanat_claim to the file that claims the group qanat_index at position qanat_at.
qanat_find_claim() {
  qanat_claim=$qanat_folder/stdout.txt
  [ -z "$qanat_dealt_before" ] || qanat_claim=$qanat_pool/again_$qanat_at.1
}

# False if another worker has the group, although its claim is gone. If somebody has removed the last claim of this worker, those of
# others may be gone, too: then the journals tell what has begun. If these were removed as well, nothing more is started.
qanat_is_free() {
  [ ! -e "$qanat_kept" ] || return 0
  { [ -d "$qanat_pool" ] && [ -z "$qanat_remade" ]; } || qanat_moved=gone
  [ -z "$qanat_moved" ] && ! qanat_has_begun && ! qanat_is_claimed_elsewhere
}

# Claims the group: only one worker can make the file. If its stdout.txt cannot be made at all, the group fails and says so.
qanat_claim() {
  # Each redirection takes a shell as long as ten commands.
  # shellcheck disable=SC3044 # POSIX has the redirection
  {
    printf '%-39s\n' "$qanat_at $qanat_index" 1<>"$qanat_pool/slot_$qanat_slot"
    set -C
    { true >"$qanat_claim"; } || { [ ! -e "$qanat_claim" ] && { true >"$qanat_pool/again_$qanat_at.1"; }; }
    qanat_claimed=$?
    set +C
  } 2>/dev/null
  if [ "$qanat_claimed" = 0 ]; then
    qanat_passed=0
    [ $((qanat_at % qanat_stride)) != 0 ] || qanat_note next "$qanat_at"
  else
    qanat_pass
    return 1
  fi
}

# Called for a group that another worker has. Where many are, it looks how far the others have got.
qanat_pass() {
  qanat_passed=$((qanat_passed + 1))
  [ $((qanat_passed % qanat_most_passed)) = 0 ] || return 0
  { read -r qanat_hint _ <"$qanat_pool/next"; } 2>/dev/null
  case ${qanat_hint:=0} in *[!0-9]*) ;; *) [ "$qanat_hint" -le "$qanat_next" ] || qanat_next=$qanat_hint ;; esac
}

# Sets qanat_generation to the number of the next claim of a group whose worker was killed: POSITION
qanat_find_generation() {
  qanat_generation=2
  while [ -e "$qanat_pool/again_$1.$qanat_generation" ]; do qanat_generation=$((qanat_generation + 1)); done
}

# Runs a group whose worker was killed while it claimed it, unless another worker has it. The generation of the claim was found
# when no other worker could take it again: POSITION
qanat_take_again() {
  qanat_at=$1
  qanat_line=$(tail -n "+$(($1 + 2))" "$qanat_plan" | head -n 1)
  qanat_index=${qanat_line%% *} qanat_folder=$qanat_run${qanat_folders:+/group_${qanat_line%% *}}
  while [ -z "$qanat_stopped" ] && qanat_is_claimed_elsewhere; do sleep 0.1 2>/dev/null || sleep 1; done
  [ -z "$qanat_stopped" ] && ! qanat_has_begun && "$qanat_acquire" || return
  qanat_find_claim
  if [ -e "$qanat_claim" ] || [ -e "$qanat_pool/again_$1.1" ]; then
    qanat_note "slot_$qanat_slot" "$qanat_at $qanat_index"
    set -C
    { true >"$qanat_pool/again_$1.$qanat_generation"; } 2>/dev/null
    qanat_claimed=$?
    set +C
  else
    # Others may have noted that they have got further.
    [ -d "$qanat_folder" ] || qanat_make_ahead
    qanat_claim
  fi
  [ "$qanat_claimed" != 0 ] || eval "qanat_launch $qanat_line"
  "$qanat_release"
}

# True while another worker is at the position of the group, and it has not begun.
qanat_is_claimed_elsewhere() {
  ! qanat_has_begun || return
  for qanat_other in "$qanat_pool"/slot_*; do
    [ "${qanat_other##*_}" != "$qanat_slot" ] || continue
    { read -r qanat_place _ <"$qanat_other"; } 2>/dev/null || continue
    [ "$qanat_place" != "$qanat_at" ] || return 0
  done
  return 1
}

qanat_has_begun() { grep -qs "^1 [a-z]* $qanat_index $qanat_attempt " "$qanat_run/.run/records/$qanat_journals"*; }
