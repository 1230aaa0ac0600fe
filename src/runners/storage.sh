# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Changes job.sh for runs whose finished groups are copied to a place that lasts. settings.sh sets qanat_storage, the folder of
# the run there. A copy has its name only once it is whole.
qanat_forgets=qanat_forget_copy
qanat_stores=qanat_store_copy

# Removes the copy of an earlier attempt.
qanat_forget_copy() {
  qanat_stored=$qanat_storage${qanat_folders:+/group_$qanat_index}
  [ "$qanat_attempt" = 1 ] || rm -rf -- "$qanat_stored"
}

# Copies a folder, without our own files in the folder of a run: FROM TO OURS
# shellcheck disable=SC2016 # the inner sh expands it
qanat_copying='rm -rf -- "$2" "$2.part" && mkdir -p -- "$2.part" && cd -- "$1" || exit
for each in * .[!.]* ..?*; do
  { [ -e "$each" ] || [ -L "$each" ]; } && [ "$each" != "$3" ] || continue
  cp -a -- "$each" "$2.part/" || exit
done
mv -- "$2.part" "$2"'

# The end of the group is recorded by now, and stays what it is.
qanat_store_copy() {
  [ "$qanat_outcome $qanat_code" = 'exit 0' ] || return 0
  qanat_ours=.run qanat_told=$qanat_run/.run/storage.$qanat_index
  [ -z "$qanat_folders" ] || qanat_ours=''
  { ${qanat_setsid:+setsid} sh -c "$qanat_copying" sh "$qanat_folder" "$qanat_stored" "$qanat_ours" </dev/null >/dev/null 2>"$qanat_told" 9<&- & } 2>/dev/null
  qanat_pid=$!
  qanat_await
  qanat_pid=''
  if [ "$qanat_code" != 0 ]; then
    qanat_reason=$(tail -n 1 "$qanat_told" 2>/dev/null)
    [ -z "$qanat_stopped" ] || qanat_reason='the job was told to end meanwhile'
    qanat_warn "its files could not be copied to $qanat_stored, and are where they were: $qanat_reason"
    rm -rf -- "$qanat_stored.part"
  fi
  rm -f -- "$qanat_told"
  qanat_code=0
}
