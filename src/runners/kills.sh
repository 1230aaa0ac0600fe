# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# For pools in jobs of schedulers: which groups the kernel has killed, since their job had too much memory.
qanat_explains=qanat_explain_kill qanat_buries=qanat_bury

# The file in which the kernel counts the processes of this job that it has killed since they had too much memory.
qanat_kill_file=''
qanat_find_kill_file() {
  while IFS=: read -r _ qanat_kind qanat_group; do
    case ",$qanat_kind," in
      ,,) qanat_hierarchy=/sys/fs/cgroup qanat_name=memory.events ;;
      *,memory,*) qanat_hierarchy=/sys/fs/cgroup/memory qanat_name=memory.oom_control ;;
      *) continue ;;
    esac
    # In a container its own group may be the root.
    for qanat_kill_file in "$qanat_hierarchy$qanat_group/$qanat_name" "$qanat_hierarchy/$qanat_name"; do
      [ ! -r "$qanat_kill_file" ] || return 0
    done
  done </proc/self/cgroup
  qanat_kill_file=''
}
{ qanat_find_kill_file; } 2>/dev/null

# Sets qanat_kills to that number.
qanat_count_kills() {
  qanat_kills=0
  [ -n "$qanat_kill_file" ] || return 0
  while read -r qanat_kind qanat_number; do
    [ "$qanat_kind" != oom_kill ] || qanat_kills=$qanat_number
  done <"$qanat_kill_file"
}

# Notes that number before a group.
qanat_note_kills() {
  { qanat_count_kills; } 2>/dev/null
  qanat_kills_before=$qanat_kills
}
qanat_note_kills

# Called at the end of a group: says if the kernel has killed it.
qanat_explain_kill() {
  { qanat_count_kills; } 2>/dev/null
  [ "$qanat_kills" -gt "$qanat_kills_before" ] || return 0
  case "$qanat_outcome $qanat_code" in
    'exit 137') qanat_outcome=oom ;;
    'exit 0') qanat_warn "it ended well while the kernel killed a process of its job $qanat_job, which had too much memory" ;;
  esac
}

# --- The group of a worker that was killed

# Called by the keeper: ends what is left of the group, and records that it was killed. It may have not begun.
qanat_bury() {
  qanat_journal=$qanat_run/.run/records/$qanat_journals$qanat_slot qanat_started=''
  while read -r _ qanat_kind qanat_which _ _ qanat_second _; do
    case "$qanat_kind $qanat_which" in
      "start $qanat_index") qanat_started=$qanat_second ;;
      "end $qanat_index") qanat_started='' ;;
    esac
  done <"$qanat_journal"
  [ -n "$qanat_started" ] || return 0
  qanat_folder=$qanat_run${qanat_folders:+/group_$qanat_index}
  qanat_mark="$QANAT_RUN_ID.$qanat_index.$qanat_attempt $qanat_folder" qanat_outcome='exit' qanat_code=137
  { qanat_stopped=oom; qanat_end_others; qanat_stopped=''; } 2>/dev/null
  qanat_explain_kill
  qanat_kills_before=$qanat_kills qanat_cpu='' qanat_memory=''
  qanat_clock
  qanat_record_end "$qanat_now"
}
