# shellcheck shell=sh disable=SC2034,SC2154 # job.sh, which reads this file, has the other half of the variables
# Deals the GPUs of this machine to the groups of pools, of all runs and projects of the user. settings.sh sets
#     qanat_gpu_devices    ids of the devices that may be dealt, as the variable takes them
#     qanat_gpu_variable   the variable by which a program sees them
#     qanat_gpus           how many whole devices a group gets; 0 for none, or for a share
#     qanat_gpu_shares     among how many groups a device is shared; empty for whole devices
#
# A lease is a lock of the kernel (flock) on a file of the device, which the worker holds, and with it all processes of the
# group, which inherit the open file. So it ends with the last of them, however they end, and never before. A whole device is
# locked exclusively. A device that groups share is locked by all of them at once; its file says among how many it is shared, and
# each share has a file of its own. Each worker waits for its turn, so that a run does not take what it has just given back
# before others.
#
# Files in the folder of this machine: turn, DEVICE, DEVICE.SHARE, with _ for each slash of an id; in that of the pool: waits_SLOT
# while a slot waits
qanat_lease_folder=$HOME/.local/state/qanat/gpus/unknown
{ IFS= read -r qanat_machine_id </etc/machine-id; } 2>/dev/null && qanat_lease_folder=${qanat_lease_folder%/*}/$qanat_machine_id
qanat_acquire=qanat_take_gpus qanat_release=qanat_leave_gpus qanat_can_deal=qanat_can_lease
qanat_dealt='' qanat_next_gpu_look=0 qanat_said_busy='' qanat_descriptor=3 qanat_last_gpu='' qanat_last_share=''

# Lets the group see what it was dealt, also in a container: Docker takes a list of devices in quotes.
qanat_export_gpus() {
  export "$qanat_gpu_variable=$qanat_dealt"
  qanat_docker_gpus=${qanat_dealt:+\"device=$qanat_dealt\"}
}

# In a shell of the group, the worker has taken them, and left the descriptors open.
if [ "$qanat_mode" = one ]; then
  eval "qanat_dealt=\$$qanat_gpu_variable"
  qanat_export_gpus
  qanat_descriptor=$((qanat_gpus > 5 ? qanat_gpus + 4 : qanat_gpus + 3))
  [ -z "$qanat_gpu_shares" ] || qanat_descriptor=5
fi

# False, with a reason, if leases cannot be taken: called before the first group.
qanat_can_lease() {
  [ "$qanat_gpus$qanat_gpu_shares" != 0 ] || return 0
  [ -n "${HOME:-}" ] || { echo "HOME is not set, where GPUs are leased"; return 1; }
  if ! { mkdir -p "$qanat_lease_folder" && true >>"$qanat_lease_folder/turn"; } 2>/dev/null; then
    echo "the folder where GPUs are leased cannot be written: $qanat_lease_folder"
    return 1
  fi
  if [ "$qanat_gpus" -gt 5 ] && [ -z "$BASH_VERSION" ]; then
    echo "more than 5 GPUs for a group need bash, which has descriptors for all their leases"
    return 1
  fi
  command -v flock >/dev/null 2>&1 || { echo "the program flock (of util-linux) is missing, by which GPUs are leased"; return 1; }
}

# Waits until the next group can have its devices; false if the worker is to take no further group.
qanat_take_gpus() {
  qanat_dealt=''
  if [ "$qanat_gpus$qanat_gpu_shares" = 0 ]; then
    qanat_export_gpus
    return
  fi
  while qanat_goes_on; do
    if ! command exec 3>>"$qanat_lease_folder/turn"; then
      qanat_say "the folder where GPUs are leased cannot be written any more: $qanat_lease_folder"
      return 1
    fi
    # Busybox knows no -w.
    if flock -w 1 -x 3 2>/dev/null || flock -n -x 3; then
      qanat_look_at_gpus
      if qanat_find_gpus; then
        exec 3>&-
        qanat_export_gpus
        break
      fi
    fi
    qanat_dealt=''
    [ -e "$qanat_pool/waits_$qanat_slot" ] || { true >"$qanat_pool/waits_$qanat_slot"; } 2>/dev/null
    # It keeps the turn during the pause: the next one would find nothing free either.
    sleep 0.1 2>/dev/null || sleep 1
    exec 3>&-
  done
  [ ! -e "$qanat_pool/waits_$qanat_slot" ] || rm -f "$qanat_pool/waits_$qanat_slot"
  [ -n "$qanat_dealt" ]
}

# Leases devices, or a share of one: sets qanat_dealt; false, without any, if too few are free. Descriptors 4 and up are those of
# the files.
qanat_find_gpus() {
  qanat_dealt=''
  if [ -n "$qanat_gpu_shares" ]; then
    qanat_find_share
    return
  fi
  qanat_wanted=$qanat_gpus
  for qanat_device in $qanat_free_gpus; do
    qanat_lock "$qanat_device" -x || continue
    qanat_dealt=$qanat_dealt${qanat_dealt:+,}$qanat_device qanat_wanted=$((qanat_wanted - 1))
    [ "$qanat_wanted" -gt 0 ] || return 0
  done
  qanat_leave_gpus
  return 1
}

# Groups are spread over the devices. The share that this worker had last is usually free.
qanat_find_share() {
  case " $qanat_free_gpus " in *" $qanat_last_gpu "*) ! qanat_take_share "$qanat_last_gpu" "$qanat_last_share" || return 0 ;; esac
  qanat_share=0
  while [ "$qanat_share" -lt "$qanat_gpu_shares" ]; do
    for qanat_device in $qanat_free_gpus; do
      ! qanat_take_share "$qanat_device" "$qanat_share" || return 0
    done
    qanat_share=$((qanat_share + 1))
  done
  return 1
}

# Leases a share: DEVICE SHARE
qanat_take_share() {
  if qanat_lock "$1" -s && qanat_join "$1" && qanat_lock "$1.$2" -x; then
    qanat_dealt=$1 qanat_last_gpu=$1 qanat_last_share=$2
    return
  fi
  qanat_leave_gpus
  return 1
}

# True if a device that is locked here is shared among as many groups as those of this run, or can be from now on: DEVICE
qanat_join() {
  qanat_groups=''
  qanat_name_lease "$1"
  { read -r qanat_groups <"$qanat_lease"; } 2>/dev/null
  [ "$qanat_groups" != "$qanat_gpu_shares" ] || return 0
  flock -n -x "$qanat_descriptor" && echo "$qanat_gpu_shares" >"$qanat_lease" && flock -n -s "$qanat_descriptor"
}

# Sets qanat_lease to the file of a device or a share. Ids of parts, as older drivers give them, have slashes: NAME
qanat_name_lease() {
  qanat_lease=$1
  while :; do
    case $qanat_lease in
      */*) qanat_lease=${qanat_lease%%/*}_${qanat_lease#*/} ;;
      *) break ;;
    esac
  done
  qanat_lease=$qanat_lease_folder/$qanat_lease
}

# Opens the file of a device or a share with the next descriptor, and locks it: NAME MODE
qanat_lock() {
  qanat_name_lease "$1"
  qanat_descriptor=$((qanat_descriptor + 1))
  # Descriptor 9 is that of the plan.
  [ "$qanat_descriptor" != 9 ] || qanat_descriptor=10
  if eval "command exec $qanat_descriptor>>\"\$qanat_lease\"" 2>/dev/null; then
    ! flock -n "$2" "$qanat_descriptor" || return 0
    eval "exec $qanat_descriptor>&-"
  fi
  qanat_descriptor=$((qanat_descriptor - 1))
  return 1
}

# Gives up what this worker has leased.
qanat_leave_gpus() {
  while [ "$qanat_descriptor" -gt 3 ]; do
    [ "$qanat_descriptor" = 9 ] || eval "exec $qanat_descriptor>&-"
    qanat_descriptor=$((qanat_descriptor - 1))
  done
}

# Sets qanat_free_gpus to the devices on which no program of others computes. It looks every ten seconds at most, since that takes
# long, and gives up a driver that does not answer: others wait for their turn meanwhile. What computes on a part of a divided
# device is not known.
qanat_look_at_gpus() {
  qanat_look_at_clock
  [ "$qanat_moment" -ge "$qanat_next_gpu_look" ] || return 0
  qanat_next_gpu_look=$((qanat_moment + 1000)) qanat_free_gpus=$qanat_gpu_devices
  [ "$qanat_gpu_variable" = CUDA_VISIBLE_DEVICES ] || return 0
  qanat_busy=$(LC_ALL=C timeout 10 nvidia-smi --query-compute-apps=gpu_uuid,pid --format=csv,noheader 2>/dev/null)
  qanat_free_gpus=''
  for qanat_device in $qanat_gpu_devices; do
    qanat_user=$(qanat_user_of "$qanat_device")
    if [ -z "$qanat_user" ]; then qanat_free_gpus="$qanat_free_gpus $qanat_device"
    else
      case $qanat_said_busy in
        *"$qanat_device"*) ;;
        *)
          qanat_said_busy="$qanat_said_busy $qanat_device"
          qanat_say "GPU $qanat_device is left out while process $qanat_user, which is not of this user's runs, computes on it"
          ;;
      esac
    fi
  done
}

# One of the workers says it: TEXT
qanat_say() {
  grep -qsxF "$1" "$qanat_run/.run/warnings.txt" || printf '%s\n' "$1" >>"$qanat_run/.run/warnings.txt"
}

# Prints a process that computes on a device, and belongs to no group: DEVICE
qanat_user_of() {
  echo "$qanat_busy" | while IFS=', ' read -r qanat_used_device qanat_user; do
    [ "$qanat_used_device" = "$1" ] || continue
    ! grep -aqsz '^QANAT_MARK=' "/proc/$qanat_user/environ" || continue
    echo "$qanat_user"
    break
  done
}
