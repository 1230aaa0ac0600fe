# shellcheck shell=sh disable=SC2034,SC2154 # keeper.sh, which comes before it, has the other half of the variables
# The limits of the groups of a pool, and the memory that they have: the third part of it.

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
