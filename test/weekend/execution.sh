#!/bin/sh
# One execution of a group of the weekend: RUNNER ARGUMENT... It writes what becomes of it into a file of its own:
#
#     begin TIME RESTARTS BESIDE     BESIDE: how many other executions of the group go on
#     end TIME HOW                   HOW: the exit code, KILL (by its own hand) or TERM (it was told to end)
#
# Times are milliseconds since the epoch. How it is to end is a line `SECONDS HOW` of the file `fates`.
index=$QANAT_GROUP_INDEX folder=$QANAT_PROJECT/.qanat/weekend/$1
now() { date +%s%3N; }

begun=$(now)
mine=$folder/executions/$index.$begun.$$
beside=0
for other in "$folder/executions/$index".*; do
  [ ! -e "$other" ] || grep -q '^end' "$other" && continue
  ! grep -qsF "$QANAT_STORAGE_PATH" "/proc/${other##*.}/cmdline" || beside=$((beside + 1))
done
echo "begin $begun ${SLURM_RESTART_COUNT:-0} $beside" >"$mine"

# The first signal decides; the scheduler's patience may end before that of the script.
end() {
  trap '' TERM
  echo "end $(now) $1" >>"$mine"
}
trap 'end TERM; exit 143' TERM

fate=$(sed -n "$((index + 1))p" "$folder/fates")
sleep "${fate% *}" &
# The signal may reach the sleep first.
wait $! || { end TERM && exit 143; }
end "${fate#* }"
[ "${fate#* }" != KILL ] || kill -KILL $$
exit "${fate#* }"
