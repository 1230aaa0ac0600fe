import { existsSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandOf, groupInfo } from '../../src/domain/runs/run-plan.js'
import { SlotJournals } from '../../src/runfolder/evidence/slot-journals.js'
import { jobScript } from '../../src/runners/job-script.js'
import { anyWord, shells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { planWith } from './plans.js'
import { expectEnded, tells, Worker } from './worker.js'

test('the job script of a plain template', () => {
  expect(jobScript(planWith({ groupCount: 2, datasetPaths: ['/data/my iris'] }))).toMatchInlineSnapshot(`
    "#!/bin/sh
    # Runs the groups of run 1 of it.
    umask 022
    QANAT_NEWLINE='
    '
    export QANAT_RUN_ID=1
    export QANAT_COMMIT=c0ffee
    export QANAT_PROJECT=/project
    qanat_run=/project/results/it/run_1
    qanat_mode=$1 qanat_journal=$2 qanat_host=$3 qanat_job=$4 qanat_restarts=$5 qanat_attempt=1
    qanat_stopped= qanat_signalled= qanat_pid= qanat_at_work= qanat_scratch= qanat_tasks=
    shift 5
    # Found once: each group would look through the whole PATH.
    hash "sh" 2>/dev/null
    cd /project && qanat_at_work=1

    qanat_ifs=$IFS
    # From here on what is started in the background is a process group of its own: bash can do that by itself.
    qanat_own_group=
    qanat_use_groups() {
      if [ -n "$BASH_VERSION" ]; then set -m
      elif command -v setsid >/dev/null 2>&1; then qanat_own_group=setsid
      fi
    }

    # Bash has the time itself; GNU's date knows parts of a second, others print the letters.
    qanat_clock() {
      qanat_now=\${EPOCHREALTIME:-$(date +%s.%N)}
      case $qanat_now in *[!0-9.,]*) qanat_now=$(date +%s) ;; esac
    }

    qanat_record() { printf '1 %s\\n' "$*" >>"$qanat_journal"; }

    qanat_signal_group() { kill "-$1" "-$2" 2>/dev/null || kill "-$1" "$2" 2>/dev/null; }

    # A signal ends 'wait' early, then the code is not the group's: wait again (127 says that it was).
    qanat_await() {
      wait "$1"
      qanat_code=$?
      while [ -n "$qanat_signalled" ]; do
        qanat_signalled=
        wait "$1"
        qanat_again=$?
        [ "$qanat_again" = 127 ] || qanat_code=$qanat_again
      done
    }

    qanat_stop() {
      qanat_stopped=$1 qanat_signalled=1
      if [ -n "$qanat_pid" ]; then qanat_end_group "$2"
      elif [ "$qanat_mode" = one ]; then exit 143
      fi
    }
    qanat_end_group() { qanat_signal_group TERM "$qanat_pid"; }
    qanat_pass_on() {
      qanat_signalled=1
      [ -z "$qanat_pid" ] || qanat_signal_group "$1" "$qanat_pid"
    }
    qanat_traps() {
      trap 'qanat_stop stopped TERM' TERM INT HUP
      trap 'qanat_stop timeout URG' URG
      trap 'qanat_pass_on USR1' USR1
      trap 'qanat_pass_on USR2' USR2
    }
    qanat_traps

    qanat_folder_of() { qanat_folder=$qanat_run/group_$1; }

    qanat_group() {
      qanat_index=$1 qanat_info=$2 qanat_code=1 qanat_outcome=launch
      qanat_folder_of "$1"
      shift 2
      qanat_clock
      qanat_started=$qanat_now
      export QANAT_GROUP_INDEX="$qanat_index" QANAT_STORAGE_PATH="$qanat_folder"
      [ -d "$qanat_folder" ] || mkdir -p "$qanat_folder" || return
      [ -z "$qanat_info" ] || printf '%s' "$qanat_info" >"$qanat_folder/group_info.yaml" || return
      [ -n "$qanat_at_work" ] || return
      {
        if [ -r /proc/self/stat ]; then read -r qanat_own qanat_rest </proc/self/stat
        else qanat_own=$(exec sh -c 'echo "$PPID"'); fi
        qanat_record start "$qanat_index" "$qanat_attempt" "$qanat_own" "$qanat_started" "$qanat_host" "$qanat_job" "$qanat_restarts"
        exec $qanat_own_group "sh" it.sh "$@" --storage_path "$qanat_folder" --dataset_path '/data/my iris'
      } </dev/null >>"$qanat_folder/stdout.txt" 2>>"$qanat_folder/stderr.txt" &
      qanat_pid=$!
      # Told to end just before there was a process to pass it on to.
      [ -z "$qanat_stopped" ] || qanat_signal_group TERM "$qanat_pid"
      qanat_outcome=exit
      qanat_await "$qanat_pid"
      qanat_signal_group KILL "$qanat_pid"
      qanat_pid=
    }

    qanat_finish() {
      qanat_outcome=\${qanat_stopped:-$qanat_outcome}
      qanat_clock
      qanat_record end "$qanat_index" "$qanat_attempt" "$qanat_code" "$qanat_outcome" "$qanat_started" "$qanat_now" "$qanat_host" "$qanat_job" "$qanat_restarts"
    }

    qanat_run_group() {
      qanat_group "$@"
      qanat_finish
    }

    # Only one shell can make a group's stdout.txt. Where the folder is missing, the group itself fails and says so.
    qanat_claim() {
      qanat_folder_of "$1"
      set -C
      { true >"$qanat_folder/stdout.txt"; } 2>/dev/null || [ ! -e "$qanat_folder/stdout.txt" ]
      qanat_claimed=$?
      set +C
      return $qanat_claimed
    }

    qanat_take() { qanat_claim "$1" && qanat_run_group "$@"; }

    qanat_work() {
      qanat_use_groups
      while IFS= read -r qanat_line; do
        [ -z "$qanat_stopped" ] || break
        if [ "$qanat_line" = free ]; then echo; else eval "qanat_take $qanat_line"; fi
      done
      # Any other code would say that this shell was killed with groups in hand.
      exit 0
    }

    # A group is the job's that made its journal; the same job comes again when it is requeued.
    qanat_own() {
      qanat_mark="1 job $qanat_job"
      set -C
      { printf '%s\\n' "$qanat_mark" >"$qanat_journal"; } 2>/dev/null
      qanat_made=$?
      set +C
      [ "$qanat_made" != 0 ] || return 0
      [ -e "$qanat_journal" ] || qanat_give_up "cannot write to $qanat_journal"
      # Empty where its maker was killed in that very moment.
      [ -s "$qanat_journal" ] || sleep 2
      [ -s "$qanat_journal" ] || printf '%s\\n' "$qanat_mark" >>"$qanat_journal"
      IFS= read -r qanat_owner <"$qanat_journal"
      [ "$qanat_owner" = "$qanat_mark" ]
    }

    # A launch that came later has the group now: this job was given up before it was submitted.
    qanat_is_superseded() {
      qanat_later=$((qanat_attempt + 1))
      while [ -d "$qanat_run/.run/launch_$qanat_later" ]; do
        ! grep -qx "$1" "$qanat_run/.run/launch_$qanat_later/groups" 2>/dev/null || return 0
        qanat_later=$((qanat_later + 1))
      done
      return 1
    }

    qanat_give_up() {
      echo "qanat: the node $qanat_host $1" >&2
      exit 125
    }

    # The index has the place of each line of the plan.
    qanat_plan_line() {
      qanat_place=$(tail -c +$((12 * $1 + 1)) "$qanat_run/.run/plan.index" | head -n 1)
      [ -z "$qanat_place" ] || tail -c +$((qanat_place + 1)) "$qanat_run/.run/plan" | head -n 1
    }

    qanat_task() {
      qanat_use_groups
      ! qanat_is_superseded "$1" || { echo "group $1 was launched again"; exit 0; }
      qanat_own || { echo "group $1 is another job's"; exit 0; }
      qanat_line=$(qanat_plan_line "$1")
      [ -n "$qanat_line" ] || qanat_give_up "cannot read $qanat_run/.run/plan"
      eval "qanat_run_group $1 $qanat_line"
      qanat_last=$(tail -n 1 "$qanat_journal")
      case $qanat_last in
        '1 end '*" $qanat_restarts") ;;
        *) qanat_give_up "cannot write to $qanat_journal" ;;
      esac
      set -- $qanat_last
      # A scheduler must not take what was told to end for something that finished.
      [ -z "$qanat_stopped" ] || [ "$5" != 0 ] || exit 143
      exit "$5"
    }

    if [ "$qanat_mode" = task ]; then qanat_task "$@"; else qanat_work; fi
    "
  `)
})

describe.each(shells)('a plain group, run by %s', shell => {
  test('gets its arguments, its folder and its datasets byte for byte', async () => {
    const groups = fc.sample(fc.array(anyWord(), { maxLength: 8 }), 40)
    const script = 'printf "%s\\0" "$@"'
    const worker = new Worker(shell, { script, groups, datasetPaths: ["/data/it's $(id)\n*", '/d'] })
    await worker.runAll()
    for (const index of groups.keys()) {
      const words = worker.read(`group_${index}`, 'stdout.txt')!.split('\0').slice(0, -1)
      expect(['sh', 'it.sh', ...words]).toEqual(commandOf(worker.plan, index))
      expect(worker.read(`group_${index}`, 'group_info.yaml')).toBe(groupInfo(worker.plan, index))
      expect(worker.endOf(index)).toMatchObject({ code: 0, outcome: 'exit' })
    }
    expect(worker.stderr).toBe('')
  })

  test('is told where it belongs, and keeps the variables of the user', async () => {
    const worker = new Worker(shell, {
      script: 'env -0 | grep -z "^QANAT\\|^MINE\\|^TEMPLATE" | sort -z; pwd',
      groups: [[], []],
      runId: 12,
      environment: { env: { TEMPLATE: "two\n'lines' $HOME" } },
      variables: { MINE: 'my "own"' },
    })
    await worker.runAll()
    const { projectRoot } = worker.plan
    expect(worker.read('group_1/stdout.txt')!.split('\0')).toEqual([
      'MINE=my "own"',
      'QANAT_COMMIT=c0ffee',
      'QANAT_GROUP_INDEX=1',
      `QANAT_PROJECT=${projectRoot}`,
      'QANAT_RUN_ID=12',
      `QANAT_STORAGE_PATH=${worker.path('group_1')}`,
      "TEMPLATE=two\n'lines' $HOME",
      `${projectRoot}\n`,
    ])
  })

  test('writes to its own files, with an empty input and the umask of the user', async () => {
    const script = 'cat; echo out; echo err >&2; touch "$QANAT_STORAGE_PATH/made"'
    const worker = new Worker(shell, { script, umask: 0o027 })
    await worker.runAll()
    expect(worker.read('stdout.txt')).toBe('out\n')
    expect(worker.read('stderr.txt')).toBe('err\n')
    for (const file of ['made', 'stdout.txt', 'group_info.yaml']) {
      expect(statSync(worker.path(file)).mode & 0o777).toBe(0o640)
    }
  })

  test('is recorded with its exit code, its host and its times', async () => {
    const before = Date.now()
    const worker = new Worker(shell, { script: 'exit "$1"', groups: [['0'], ['3'], ['255']] })
    await worker.runAll()
    const ends = [0, 1, 2].map(index => worker.endOf(index)!)
    expect(ends).toMatchObject(
      [0, 3, 255].map((code, index) => ({ index, code, outcome: 'exit', attempt: 1, host: 'n1', jobId: null })),
    )
    for (const { started, ended } of ends) {
      // A shell without a finer clock has whole seconds.
      expect(started).toBeGreaterThan(before - 1000)
      expect(ended).toBeGreaterThanOrEqual(started)
      expect(ended).toBeLessThanOrEqual(Date.now())
    }
  })

  test('is recorded with the signal that ended it', async () => {
    const worker = new Worker(shell, { script: 'kill -"$1" $$', groups: [['KILL'], ['SEGV'], ['TERM']] })
    await worker.runAll()
    expect([0, 1, 2].map(index => worker.endOf(index))).toMatchObject(
      [137, 139, 143].map(code => ({ code, outcome: 'exit' })),
    )
  })

  test('is known by the process that leads it while it runs', async () => {
    const worker = new Worker(shell, { script: `${tells('group')}exec sleep 300` })
    worker.give(0)
    const pid = await worker.process('group')
    const { starts } = new SlotJournals(worker.plan.storagePath, null).readOn()
    expect(starts).toMatchObject([{ pid, host: 'n1', attempt: 1 }])
    process.kill(-pid, 'SIGKILL')
    await worker.end()
    expect(worker.endOf()).toMatchObject({ code: 137, outcome: 'exit' })
  })

  test('is over as a whole: what it left running is ended', async () => {
    const worker = new Worker(shell, { script: `sleep 300 &\n${tells('left', '$!')}` })
    await worker.runAll()
    await expectEnded(await worker.process('left'))
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test.each([
    ['its folder cannot be made', { groups: [[], []] }, (worker: Worker) => writeFileSync(worker.path('group_0'), '')],
    ['its working folder is not there', { workingDirectory: '/no/such/folder' }, () => {}],
  ])('has failed at the launch where %s', async (_, facts, hinder) => {
    const worker = new Worker(shell, facts)
    hinder(worker)
    await worker.runAll()
    expect(worker.endOf(0)).toMatchObject({ outcome: 'launch', code: 1 })
  })

  test('fails with 127 where its program is not there', async () => {
    const worker = new Worker(shell, { executableCommand: ['no-such-program'] })
    await worker.runAll()
    expect(worker.endOf()).toMatchObject({ outcome: 'exit', code: 127 })
    expect(worker.read('stderr.txt')).toContain('no-such-program')
  })

  test('has ~ and variables in its command expanded, and the launcher before it', async () => {
    const home = folderWith({ 'my tools/run': 'printf "%s\\0" "$@"' })
    const worker = new Worker(shell, {
      executableCommand: ['sh', '~/my tools/run', '$HOME', '$(id)'],
      environment: { launcher: ['env', 'A=*'] },
      variables: { HOME: home },
      groups: [['x']],
    })
    await worker.runAll()
    expect(worker.read('stderr.txt')).toBe('')
    expect(worker.read('stdout.txt')!.split('\0')).toEqual([
      ...[home, '$(id)', 'it.sh', 'x', '--storage_path', worker.plan.storagePath, ''],
    ])
  })

  test('ends with all it has started when its worker is told to end', async () => {
    const worker = new Worker(shell, { script: `sleep 300 &\n${tells('child', '$!')}${tells('group')}wait` })
    worker.give(0)
    const pids = [await worker.process('group'), await worker.process('child')]
    await worker.stop()
    for (const pid of pids) await expectEnded(pid)
    expect(worker.endOf()).toMatchObject({ code: 143, outcome: 'stopped' })
  })

  test('may end by itself when it is told to, in its own time', async () => {
    const script = `trap 'echo saved; exit 7' TERM\n${tells('group')}while :; do sleep 0.01; done`
    const worker = new Worker(shell, { script })
    worker.give(0)
    await worker.process('group')
    await worker.stop()
    expect(worker.read('stdout.txt')).toBe('saved\n')
    expect(worker.endOf()).toMatchObject({ code: 7, outcome: 'stopped' })
  })

  test('does not start any more once its worker was told to end', async () => {
    const worker = new Worker(shell, { script: `${tells('group')}exec sleep 300`, groups: [[], []] })
    worker.give(0)
    await worker.process('group')
    worker.give(1)
    await worker.stop()
    expect(worker.endOf(0)).toMatchObject({ outcome: 'stopped' })
    expect(existsSync(worker.path('group_1'))).toBe(false)
  })
})
