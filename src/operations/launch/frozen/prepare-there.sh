#!/bin/sh
# Prepares a frozen copy at another site, unless that was done. $1: the file that says for what it is prepared; $2: what it has to
# say; $3: text of the script, which writes how it ended into $1.end. Prints that and the end of its output if it fails. In front of
# these lines may be those of a job: see SingleJob.
record=$1 key=$2 script=$3
prepared() { [ "$(cat -- "$record" 2>/dev/null)" = "$key" ]; }
! prepared || exit 0
copy=${record%.prepared}

# What git does not have of a copy, paths with a zero after each: of one that was as its commit before, what its preparation has made.
made() { git -C "$copy" -c core.hooksPath=/dev/null ls-files --others --directory -z 2>/dev/null; }

# Prints what is different once something of that has changed: COPY. Fails if it is of no use in another copy: environments and builds
# of CMake contain their own path.
state_of() (
  cd -- "$1" && find . -prune -printf '' 2>/dev/null || exit
  list=$1.prepared.made
  # shellcheck disable=SC2016 # another shell expands it
  found=$(xargs -0 -r sh -c 'for each; do
    find "./$each" "(" -name pyvenv.cfg -o -name conda-meta -o -name site-packages -o -name node_modules -o -name __pypackages__ -o \
      -name renv -o -name packrat -o -name CMakeCache.txt ")" -print
  done' sh <"$list") && [ -z "$found" ] &&
    xargs -0 -r sh -c 'for each; do find "./$each" -printf "%y %m %s %T@ %p %l\\n"; done' sh <"$list" | cksum
)

# Lets other copies take what was made.
lend() {
  if made >"$record.made" && state=$(state_of "$copy"); then printf '%s' "$state" >"$record.state"; else rm -f -- "$record.made"; fi
}

# Takes what a preparation for the same has made in another copy, if it is still as it was made.
borrow() {
  for state in "${copy%/*}"/*.prepared.state; do
    other=${state%.prepared.state}
    [ "$(cat -- "$other.prepared" 2>/dev/null)" = "$key" ] || continue
    [ "$(state_of "$other")" = "$(cat -- "$state")" ] || continue
    # shellcheck disable=SC2016 # another shell expands it
    if (cd -- "$other" && xargs -0 -r sh -c 'into=$0; cp -a --parents -- "$@" "$into"' "$copy" <"$other.prepared.made"); then
      printf '%s' "$key" >"$record"
      lend
      return 0
    fi
    (cd -- "$copy" && xargs -0 -r rm -rf -- <"$other.prepared.made")
  done
  return 1
}

in_job() {
  # One of a launch that was cut off may still be at work.
  id=$(cat -- "$record.job" 2>/dev/null)
  if [ -n "$id" ]; then
    cancel_job >/dev/null 2>&1
    until [ -z "$(look_for_job)" ]; do sleep 2; done
    ! prepared || exit 0
  fi
  begin
  id=$(submit_job)
  [ -n "$id" ] || exit 1
  printf '%s' "$id" >"$record.job"
  trap 'cancel_job >/dev/null 2>&1; exit 143' HUP INT TERM
  waited=0 next=2 missing=0
  until [ -e "$record.end" ]; do
    sleep 1 &
    wait "$!"
    # Otherwise NFS would not see new files for a while.
    ls -a -- "${record%/*}" >/dev/null
    waited=$((waited + 1))
    [ "$waited" -ge "$next" ] || continue
    next=$((next + (next < 30 ? next : 30)))
    if [ -n "$(look_for_job)" ]; then missing=0; else missing=$((missing + 1)); fi
    [ "$missing" -lt 3 ] || break
  done
  trap - HUP INT TERM
  [ -e "$record.end" ] || said=$(explain_job)
  cancel_job >/dev/null 2>&1
  rm -f -- "$record.job"
}

begin() {
  rm -f -- "$record.end"
  : >"$record.log"
  printf '%s' "$script" >"$record.sh"
  chmod +x -- "$record.sh"
}

is_fresh=
if [ ! -e "$record" ] && [ -e "$copy/.git" ] && [ -z "$(made | head -c 1)" ]; then
  ! borrow 2>/dev/null || exit 0
  is_fresh=yes
fi
rm -f -- "$record.made" "$record.state"
said=
if command -v submit_job >/dev/null; then
  in_job
else
  begin
  sh "$record.sh"
fi
if prepared; then
  [ -z "$is_fresh" ] || lend
  echo prepared
  exit 0
fi
# As a code of this script, some would say other things, such as 127.
printf 'exit %s\n' "$(cat -- "$record.end" 2>/dev/null || echo 1)"
tail -n 20 -- "$record.log"
[ -z "$said" ] || printf 'job %s: %s\n' "$id" "$said"
exit 1
