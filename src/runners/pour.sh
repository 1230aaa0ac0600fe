# shellcheck shell=sh disable=SC2034,SC2154,SC2317 # job.sh, which reads this file, has the other half of the variables
# Changes pod.sh where there is no volume: what a group leaves goes out through the log of its pod, which is descriptor 8.
# settings.sh sets qanat_pour_word, with which all lines of ours begin, and qanat_root, from which paths are told.
#     WORD begin              the first line: nothing was cut off
#     WORD start RECORD       a group begins
#     WORD data               an archive follows, in lines of base64
#     WORD end SHA256 RECORD  its end, with the end of the group whose files it has; `-` for a group without files
# See sites/pod/poured.ts. The kubelet cuts a log at 10 MiB without a word.

# What a group may leave, in bytes; and what was written when no further group begins: 8 MiB have room for one more.
qanat_most=5000000 qanat_full=1400000

qanat_counted=$qanat_counts qanat_checked=$qanat_outputs
qanat_forgets=qanat_tell_start qanat_counts=qanat_tell_end qanat_outputs=qanat_check_size
qanat_acquire=qanat_has_room qanat_closes=qanat_pour_rest qanat_chosen=''

qanat_has_room() {
  qanat_written=0
  { read -r qanat_written <"$qanat_pool/written"; } 2>/dev/null
  [ "$qanat_written" -lt "$qanat_full" ] && qanat_note_kills
}

qanat_tell_start() {
  echo "$qanat_pour_word start 1 start $qanat_index $qanat_attempt 1 $qanat_started $qanat_where" >&8
}

# True if an archive is small enough: WORD... of tar
qanat_fits() {
  qanat_size=$(cd "$qanat_root" && tar -cf - "$@" 2>/dev/null | head -c $((qanat_most + 1)) | wc -c)
  [ "$qanat_size" -le "$qanat_most" ]
}

# Calls a function with all that the group has left, for tar: WORD...
qanat_with_all() {
  if [ -n "$qanat_folders" ]; then
    "$@" "$qanat_way"
    return
  fi
  for qanat_file in "$qanat_folder"/* "$qanat_folder"/.[!.]* "$qanat_folder"/..?*; do
    [ "$qanat_file" = "$qanat_run/.run" ] || [ ! -e "$qanat_file" ] || set -- "$@" "${qanat_file#"$qanat_root"/}"
  done
  "$@"
}

# Chooses what goes out of a group: all, or what it has promised, which is moved into a folder of its own. False if that is too much.
qanat_choose() {
  qanat_way=${qanat_folder#"$qanat_root"/} qanat_chosen=$qanat_index qanat_choice=all
  ! qanat_with_all qanat_fits || return 0
  qanat_choice=promised qanat_out=$qanat_pool/out
  rm -rf -- "$qanat_out"
  mkdir -p -- "$qanat_out/$qanat_way"
  (
    qanat_expect() {
      shift
      for qanat_file; do
        [ -e "$qanat_file" ] || continue
        qanat_place=$qanat_out/${qanat_file#"$qanat_root"/}
        mkdir -p -- "${qanat_place%/*}" && mv -- "$qanat_file" "$qanat_place"
      done
    }
    "$qanat_checked"
  )
  ! qanat_fits -C "$qanat_out" "$qanat_way" || return 0
  rm -rf -- "$qanat_out"
  mkdir -p -- "$qanat_out/$qanat_way"
  return 1
}

# Called for a group that has ended well.
qanat_check_size() {
  "$qanat_checked"
  [ "$qanat_outcome" = 'exit' ] && ! qanat_choose || return 0
  qanat_outcome=incomplete
  echo 'qanat: its outputs have more than 5 MB, and no more comes through the log of a pod (results: log)' >>"$qanat_folder/stderr.txt"
}

# Called once the end of a group is recorded.
qanat_tell_end() {
  "$qanat_counted"
  qanat_line=$(tail -n 1 "$qanat_journal")
  # The message of the pod may tell it if the log cannot be read: not that of a group whose outputs are nowhere then.
  case "$qanat_outcome $qanat_code $qanat_checked" in
    'exit 0 '[!:]*) ;;
    *) echo "$qanat_line" >>/dev/termination-log ;;
  esac
  if [ ! -d "$qanat_folder" ]; then
    echo "$qanat_pour_word end - $qanat_line" >&8
    return
  fi
  [ "$qanat_chosen" = "$qanat_index" ] || qanat_choose
  qanat_chosen=''
  if [ "$qanat_choice" = all ]; then
    qanat_with_all qanat_pour "$qanat_line"
    return
  fi
  [ "$qanat_outcome" = incomplete ] ||
    echo 'qanat: not all of its files came back, which have more than 5 MB (results: log)' >>"$qanat_folder/stderr.txt"
  for qanat_file in stdout.txt stderr.txt group_info.yaml; do
    [ ! -e "$qanat_folder/$qanat_file" ] || tail -c 100000 "$qanat_folder/$qanat_file" >"$qanat_out/$qanat_way/$qanat_file"
  done
  qanat_pour "$qanat_line" -C "$qanat_out" "$qanat_way"
} 2>/dev/null

# Writes an archive to the log: RECORD WORD... of tar
qanat_pour() {
  qanat_told=$1
  shift
  (cd "$qanat_root" && tar -czf "$qanat_pool/archive" "$@")
  qanat_sum=$(sha256sum <"$qanat_pool/archive")
  {
    echo "$qanat_pour_word data"
    base64 <"$qanat_pool/archive" | tr -d '\n' | fold -w 8000
    printf '\n%s\n' "$qanat_pour_word end ${qanat_sum%% *} $qanat_told"
  } >&8
  qanat_written=0
  read -r qanat_written <"$qanat_pool/written"
  qanat_size=$(wc -c <"$qanat_pool/archive")
  # Each line gets 40 bytes more.
  echo $((qanat_written + qanat_size * 134 / 100 + 500)) >"$qanat_pool/written"
}

# What the pod itself has noted.
qanat_pour_rest() {
  cd "$qanat_root" || return
  qanat_way=${qanat_run#"$qanat_root"/}/.run
  set --
  for qanat_file in "$qanat_way"/pods "$qanat_way"/environments "$qanat_way"/warnings.txt; do
    [ ! -e "$qanat_file" ] || set -- "$@" "$qanat_file"
  done
  ! qanat_fits "$@" || qanat_pour '' "$@"
} 2>/dev/null
