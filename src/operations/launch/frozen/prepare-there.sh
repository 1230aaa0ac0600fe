#!/bin/sh
# Prepares a frozen copy at another site, unless that was done. $1: the file that says for what it is prepared; $2: what it has to
# say; $3: text of the script, which writes how it ended into $1.end. Prints the end of its output if it fails. In front of these lines may
# be those of a job: see SingleJob.
record=$1 key=$2 script=$3
prepared() { [ "$(cat -- "$record" 2>/dev/null)" = "$key" ]; }
! prepared || exit 0

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

said=
if command -v submit_job >/dev/null; then
  in_job
else
  begin
  sh "$record.sh"
fi
if prepared; then
  echo prepared
  exit 0
fi
tail -n 20 -- "$record.log"
[ -z "$said" ] || printf 'job %s: %s\n' "$id" "$said"
exit "$(cat -- "$record.end" 2>/dev/null || echo 1)"
