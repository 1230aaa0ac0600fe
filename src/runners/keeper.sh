# shellcheck shell=sh disable=SC2034,SC2154 # pool.sh, which comes before it, has the other half of the variables
# The keeper of a pool: starts the workers and looks after them.

# Hook for the group of a worker that was killed, empty here: pack.sh sets a function.
qanat_buries=:
# If so many workers die one after another before any runs a group, no other is started.
qanat_most_deaths=20
# Hundredths of a second that a group which was told to end has before it is killed, and its worker to record that.
qanat_grace=1000 qanat_record_grace=1200

# Starts once it is told to on standard input, in a line that describes this machine as JSON.
qanat_keep() {
  qanat_begin_keeping
  IFS= read -r qanat_machine && [ -n "$qanat_machine" ] || exit 1
  # Why it cannot begin is its answer.
  exec 2>&1
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
  trap 'qanat_ending=$((qanat_ending + 1))' TERM INT HUP
  trap 'qanat_woken=1' USR1
}

# Starts the workers, and looks after them until the last one has ended.
qanat_keep_workers() {
  qanat_start_workers "$qanat_slots"
  while [ -n "$qanat_living" ]; do
    qanat_pause
    qanat_watch
  done
}

# Starts workers. Their journals are new: other pools of the launch have others: COUNT
qanat_start_workers() {
  qanat_living='' qanat_left=$1 qanat_slot=0
  while [ "$qanat_left" -gt 0 ]; do
    qanat_journal=$qanat_run/.run/records/$qanat_journals$qanat_slot
    set -C
    { true >"$qanat_journal"; } 2>/dev/null
    qanat_claimed=$?
    set +C
    if [ "$qanat_claimed" = 0 ]; then
      qanat_fork "$qanat_slot"
      qanat_left=$((qanat_left - 1))
    elif [ ! -e "$qanat_journal" ]; then
      echo "qanat: cannot make $qanat_journal" >&2
      return
    fi
    qanat_slot=$((qanat_slot + 1))
  done
}

# Starts the worker of a slot: SLOT [POSITION]
qanat_fork() {
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
    1??) kill "$qanat_timer" 2>/dev/null ;;
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
    if [ "$qanat_at" = over ] || qanat_is_dead "$qanat_worker" "$qanat_born"; then
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
  # A group may have removed the folder, in which its worker says that it is over: then there is no plan either.
  [ "$qanat_at" != over ] && [ "$qanat_ending" = 0 ] && [ -d "$qanat_pool" ] || return
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

# --- The limits of a group

# Keeps the limits of the group that a slot runs, and notes its memory. Its age counts from the first look at it: it need not tell
# its start, and a group that ends before the second look costs nothing.
qanat_look_after() {
  eval "qanat_seen=\$qanat_seen_$qanat_slot qanat_told=\$qanat_told_$qanat_slot"
  qanat_deaths=0
  case $qanat_seen in
    "$qanat_at "*) ;;
    *)
      eval "qanat_seen_$qanat_slot='$qanat_at $qanat_moment'"
      qanat_tick=$qanat_tenth
      return
      ;;
  esac
  qanat_age=$((qanat_moment - ${qanat_seen#* }))
  [ "$qanat_age" -ge 200 ] || qanat_tick=$qanat_tenth
  case $qanat_told in
    "$qanat_at "*) [ "$qanat_moment" -lt "${qanat_told#* }" ] || qanat_kill_group ;;
    *)
      if [ -n "$qanat_time_limit" ] && [ "$qanat_age" -ge $((100 * qanat_time_limit)) ]; then qanat_tell URG "$qanat_grace"
      elif [ -n "$qanat_measures" ] && [ -n "$qanat_proc" ] && [ "$qanat_moment" -ge "$qanat_next_look" ]; then qanat_weigh
      fi
      ;;
  esac
}

# Tells the worker of a slot to end its group, which is killed if it has not ended in time: SIGNAL GRACE
qanat_tell() {
  kill "-$1" "$qanat_worker"
  eval "qanat_told_$qanat_slot='$qanat_at $((qanat_moment + $2))'"
}

# Looks at the memory of all processes below the worker of a slot. Its peak is the largest high-water mark of one process, or the
# largest sum at one look.
qanat_weigh() {
  qanat_seen=''
  { read -r qanat_seen qanat_weight _ <"$qanat_pool/peak_$qanat_slot"; } 2>/dev/null
  [ "$qanat_seen" = "$qanat_index" ] || qanat_weight=0
  qanat_before=$qanat_weight qanat_sum=0 qanat_processes=''
  qanat_find_below "$qanat_worker"
  [ "$qanat_age" -lt 200 ] || qanat_find_marked
  qanat_weighed=1
  [ -n "${qanat_processes# }" ] || return
  # Lines `KEY SIZE kB`. Reading them without grep would take longer, and bash may take the rest of a file whose process has ended
  # for the beginning of the next one that it reads.
  # shellcheck disable=SC2046,SC2086 # these are words
  set -- $(cd /proc && grep -hs '^VmHWM\|^VmRSS' -- $(printf '%s/status ' $qanat_processes))
  while [ $# -gt 2 ]; do
    case $1 in
      VmHWM:) [ $((1024 * $2)) -le "$qanat_weight" ] || qanat_weight=$((1024 * $2)) ;;
      VmRSS:) qanat_sum=$((qanat_sum + 1024 * $2)) ;;
    esac
    shift 3
  done
  [ "$qanat_sum" -le "$qanat_weight" ] || qanat_weigh_shares
  [ "$qanat_weight" -le "$qanat_before" ] || qanat_note "peak_$qanat_slot" "$qanat_index $qanat_weight"
  [ -z "$qanat_memory_limit" ] || [ "$qanat_weight" -le "$qanat_memory_limit" ] || qanat_tell XCPU 100
}

# Adds the processes that a process has started, and those that these have started, to qanat_processes: PID
qanat_find_below() {
  while [ $# -gt 0 ]; do
    for qanat_thread in "/proc/$1/task"/*; do
      qanat_children=''
      # There is no newline at the end, which makes read fail.
      { read -r qanat_children <"$qanat_thread/children"; } 2>/dev/null
      # shellcheck disable=SC2086 # these are words
      set -- "$@" $qanat_children
      qanat_processes="$qanat_processes $qanat_children"
    done
    shift
  done
}

# Adds processes of the group that have left the tree of the worker, which have its mark in their environment.
qanat_find_marked() {
  qanat_mark=QANAT_MARK=$QANAT_RUN_ID.
  [ -n "$qanat_marked" ] ||
    qanat_marked=$(grep -aosz "^${qanat_mark}[0-9]*\.$qanat_attempt " /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n'; echo none)
  for qanat_word in $qanat_marked; do
    case $qanat_word in
      *":$qanat_mark$qanat_index.$qanat_attempt")
        qanat_word=${qanat_word#/proc/}
        case " $qanat_processes " in *" ${qanat_word%%/*} "*) ;; *) qanat_processes="$qanat_processes ${qanat_word%%/*}" ;; esac
        ;;
    esac
  done
}

# What several processes share counts once.
qanat_weigh_shares() {
  qanat_sum=0
  # shellcheck disable=SC2046,SC2086 # these are words
  set -- $(cd /proc && grep -hs '^Pss:' -- $(printf '%s/smaps_rollup ' $qanat_processes))
  while [ $# -gt 2 ]; do
    qanat_sum=$((qanat_sum + 1024 * $2))
    shift 3
  done
  [ "$qanat_sum" -le "$qanat_weight" ] || qanat_weight=$qanat_sum
}
