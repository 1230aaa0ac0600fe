# shellcheck shell=bash disable=SC2016 # the inner bash expands it
# box.sh BOX OPT WORK: runs WORK/try.sh as an ordinary user of the root folder BOX, which has no npm and is left as it is,
# without a network. There the folder OPT is /opt, where nothing can be written, and WORK is /mnt. No process of it is left
# behind.
exec unshare --mount --pid --net --fork --kill-child --propagation private bash -ec '
  mount --bind "$2" "$1/opt"; mount -o remount,bind,ro "$1/opt"
  mount --bind "$3" "$1/mnt"
  mount --rbind /dev "$1/dev"; mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/tmp"
  exec chroot --userspec=1000:1000 "$1" env -i HOME=/mnt PATH=/mnt/bin:/usr/bin:/bin sh -e /mnt/try.sh
' box "$1" "$2" "$3"
