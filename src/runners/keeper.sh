# shellcheck shell=sh disable=SC2034,SC2154 # pool.sh, which comes before it, has the other half of the variables
# The keeper of a pool: starts the workers and looks after them.

# Hooks for the group of a worker that was killed, and before each look at the workers, empty here: pack.sh sets functions.
qanat_buries=: qanat_hurries=:
# If so many workers die one after another before any runs a group, no other is started.
qanat_most_deaths=20
# Hundredths of a second that a group which was told to end has before it is killed, and its worker to record that.
qanat_grace=1000 qanat_record_grace=1200

# Starts once it is told to on standard input, in a line that describes this machine as JSON. With `again` it goes on with a pool
# whose processes have all died: [again]
qanat_keep() {
  qanat_begin_keeping
  qanat_again=${1:-}
  IFS= read -r qanat_machine && [ -n "$qanat_machine" ] || exit 1
  # Why it cannot begin is its answer.
  exec 2>&1
  if [ -n "$qanat_again" ]; then
    case $0 in
      "$qanat_run"/*) rm -f "$qanat_pool/next" "$qanat_pool"/slot_* "$qanat_pool"/waits_* ;;
      *) echo "its project was moved since its launch in $qanat_run"; exit 1 ;;
    esac
  fi
  mkdir -p "$qanat_pool" "$qanat_run/.run/records" || exit
  [ -r "${0%/*}/plan" ] || { echo "cannot read ${0%/*}/plan"; exit 1; }
  "$qanat_can_deal" || exit
  qanat_identity $$ >"$qanat_pool/keeper" || exit
  echo ready
  exec </dev/null >>"$qanat_run/.run/pool.log" 2>&1
  qanat_keep_workers
  [ -z "$qanat_secrets" ] || rm -f "${0%/*}/secrets"
}

qanat_begin_keeping() {
  qanat_keeper=$$ qanat_ending=0 qanat_woken='' qanat_deaths=0 qanat_tenth=0.1 qanat_tick=0.1
  qanat_ended=0 qanat_next_look=0 qanat_deadline=''
  qanat_again='' qanat_living='' qanat_resting='' qanat_started=0 qanat_none_left=''
  trap 'qanat_ending=$((qanat_ending + 1))' TERM INT HUP
  trap 'qanat_woken=1' USR1
}

# Starts the workers, and looks after them until the last one has ended.
qanat_keep_workers() {
  qanat_start_workers "$qanat_slots"
  while qanat_is_needed; do
    qanat_pause
    "$qanat_hurries"
    qanat_watch
    qanat_change_slots
  done
}

# True while a worker lives, or one rests that may have to go on.
qanat_is_needed() {
  [ -z "$qanat_living" ] || return 0
  [ -n "$qanat_resting" ] && [ -z "$qanat_none_left" ] && [ "$qanat_ending" = 0 ] && [ -d "$qanat_pool" ]
}

# Starts workers. Their journals are new, since other pools of the launch have others, unless the pool goes on: COUNT
qanat_start_workers() {
  qanat_left=$1
  while [ "$qanat_left" -gt 0 ]; do
    qanat_slot=$qanat_started qanat_started=$((qanat_started + 1))
    qanat_journal=$qanat_run/.run/records/$qanat_journals$qanat_slot
    set -C
    { true >"$qanat_journal"; } 2>/dev/null
    qanat_claimed=$?
    set +C
    if [ "$qanat_claimed" = 0 ] || { [ -n "$qanat_again" ] && [ -e "$qanat_journal" ]; }; then
      qanat_fork "$qanat_slot"
      qanat_left=$((qanat_left - 1))
    elif [ ! -e "$qanat_journal" ]; then
      echo "qanat: cannot make $qanat_journal" >&2
      return
    fi
  done
}

# Starts the workers that are missing if there are more slots now. Those of slots that are no longer there end by themselves.
qanat_change_slots() {
  [ -z "$qanat_none_left" ] && [ "$qanat_ending" = 0 ] && qanat_read_slots || return 0
  [ "$qanat_ordered" -le "$qanat_total" ] || qanat_ordered=$qanat_total
  # shellcheck disable=SC2086 # these are words
  set -- $qanat_resting
  qanat_resting=''
  for qanat_slot; do
    if [ "$qanat_slot" -lt "$qanat_ordered" ]; then qanat_fork "$qanat_slot"
    else qanat_resting="$qanat_resting $qanat_slot"
    fi
  done
  [ "$qanat_started" -ge "$qanat_ordered" ] || qanat_start_workers $((qanat_ordered - qanat_started))
}

# Starts the worker of a slot: SLOT [POSITION]
qanat_fork() {
  [ -z "${2:-}" ] || qanat_find_generation "$2"
  qanat_note "slot_$1" begins
  qanat_work "$@" &
  qanat_look_at $!
  eval "qanat_worker_$1=$! qanat_born_$1=\$qanat_begun qanat_told_$1='' qanat_seen_$1=''"
  qanat_living="$qanat_living $1"
}

# Waits for a tenth of a second while groups are young, else for a second, or until a signal comes.
qanat_pause() {
  if [ -n "$qanat_woken" ] || [ "$qanat_ending" != "$qanat_ended" ]; then
    qanat_woken=''
    return
  fi
  sleep "$qanat_tick" &
  qanat_timer=$!
  wait "$qanat_timer"
  case $? in
    0) ;;
    # The timer has not been waited for, so that no other process has its id.
    1?? | 2??) kill "$qanat_timer" 2>/dev/null ;;
    # It knows no fractions.
    *) qanat_tenth=1 ;;
  esac
  qanat_woken=''
}

# True if a worker has ended, also if another process has its id. Where ps cannot be run, it is not known to have ended: PID START
qanat_is_dead() {
  kill -0 "$1" 2>/dev/null || return 0
  qanat_look_at "$1" || return
  case $qanat_state in Z*) return 0 ;; esac
  [ "$qanat_begun" != "${2:-$qanat_begun}" ]
}

# Looks at all slots.
qanat_watch() {
  qanat_look_at_clock
  qanat_tick=1
  [ "$qanat_ending" = "$qanat_ended" ] || qanat_end_all
  # shellcheck disable=SC2086 # these are words
  set -- $qanat_living
  qanat_living='' qanat_marked='' qanat_weighed=''
  for qanat_slot; do
    eval "qanat_worker=\$qanat_worker_$qanat_slot qanat_born=\$qanat_born_$qanat_slot"
    qanat_at='' qanat_index=''
    { read -r qanat_at qanat_index _ <"$qanat_pool/slot_$qanat_slot"; } 2>/dev/null
    if [ "$qanat_at" = over ] || [ "$qanat_at" = rests ] || qanat_is_dead "$qanat_worker" "$qanat_born"; then
      qanat_reap
      continue
    fi
    qanat_living="$qanat_living $qanat_slot"
    [ -z "$qanat_deadline" ] || qanat_end_late
    [ -z "$qanat_index" ] || qanat_look_after
  done
  [ -n "$qanat_weighed" ] || return 0
  # Looks take no more than a twentieth of the time, however many processes there are.
  qanat_begun_at=$qanat_moment
  qanat_look_at_clock
  qanat_next_look=$((qanat_moment + 20 * (qanat_moment - qanat_begun_at)))
}

# Called when a worker has ended. One that was killed is replaced, and its successor takes the group that it was about to start.
# Nothing waits for the worker: bash may have lost its end if a signal came at that moment, and would wait for ever.
qanat_reap() {
  [ "$qanat_at" = over ] || [ -z "$qanat_index" ] || "$qanat_buries"
  case $qanat_at in
    over) qanat_none_left=1 ;;
    rests) qanat_resting="$qanat_resting $qanat_slot" ;;
  esac
  # A group may have removed the folder, in which its worker says that it is over: then there is no plan either.
  [ "$qanat_at" != over ] && [ "$qanat_at" != rests ] && [ "$qanat_ending" = 0 ] && [ -d "$qanat_pool" ] || return
  qanat_deaths=$((qanat_deaths + 1))
  if [ "$qanat_deaths" -ge "$qanat_most_deaths" ]; then
    # Otherwise others might wait for it.
    qanat_note "slot_$qanat_slot" over
    return
  fi
  # shellcheck disable=SC2086 # it may be no word
  qanat_fork "$qanat_slot" ${qanat_index:+"$qanat_at"}
}

# --- The end

# Called when the keeper was told to end: the first time, groups have some time; the second time, they are killed.
qanat_end_all() {
  qanat_ended=$qanat_ending
  for qanat_slot in $qanat_living; do
    eval "kill -TERM \"\$qanat_worker_$qanat_slot\"" 2>/dev/null
  done
  if [ -z "$qanat_deadline" ]; then qanat_deadline=$((qanat_moment + qanat_grace))
  else qanat_deadline=$qanat_moment
  fi
}

# Kills the group of a slot after its time, then its worker.
qanat_end_late() {
  qanat_tick=0.1
  if [ "$qanat_moment" -ge $((qanat_deadline + qanat_record_grace)) ]; then kill -KILL "$qanat_worker" 2>/dev/null
  elif [ "$qanat_moment" -ge "$qanat_deadline" ] && [ -n "$qanat_index" ]; then qanat_kill_group
  fi
}

# Kills the process group that the journal names last for the group of a slot: its worker, or a shell below it, has not waited for
# that process yet, so that no other has its id.
qanat_kill_group() {
  qanat_last=''
  while read -r _ qanat_kind qanat_which qanat_launch qanat_pid _; do
    case "$qanat_kind $qanat_which $qanat_launch" in
      "start $qanat_index $qanat_attempt") qanat_last=$qanat_pid ;;
      "end $qanat_index $qanat_attempt") qanat_last='' ;;
    esac
  done <"$qanat_run/.run/records/$qanat_journals$qanat_slot"
  [ -z "$qanat_last" ] || qanat_signal_group KILL "$qanat_last"
}
