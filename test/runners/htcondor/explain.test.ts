import { expect, test } from 'vitest'
import { analysisText } from '../../../src/runners/htcondor/explain.js'

const unmet = 'none meets TARGET.Memory >= RequestMemory'

/** The parts of what condor_q -better-analyze of each version printed of a job, in the order in which they came. */
const version23 = {
  tooLarge: [
    `         Slots
Step    Matched  Condition
-----  --------  ---------
[0]           5  TARGET.Arch == "X86_64"
[5]           0  TARGET.Memory >= RequestMemory
`,
    `No successful match recorded.
Last failed match: Fri Nov 27 17:47:28 2026

Reason for last match failure: no match found 
`,
    `001.000:  Run analysis summary ignoring user priority.  Of 1 machines,
      1 are rejected by your job's requirements
      0 reject your job because of their own requirements
      0 match and are already running your jobs
      0 match but are serving other users
      0 are able to run your job
`,
    `WARNING:  Be advised:
   No machines matched the jobs's constraints
`,
  ],
  behind: [
    `[0]           5  TARGET.Arch == "X86_64"
`,
    `002.005:  Run analysis summary ignoring user priority.  Of 1 machines,
      0 are rejected by your job's requirements
      0 match but are serving other users
      1 are able to run your job
`,
  ],
}

const version25 = {
  tooLarge: [
    `    [0]    : TARGET.Arch == "X86_64"
    [7]    : TARGET.Memory >= RequestMemory
`,
    `        Slots
Step   Matched  Condition
----- --------- ---------
[0]           1  TARGET.Arch == "X86_64"
[7]           0  TARGET.Memory >= RequestMemory

`,
    `001.000:  Run analysis summary ignoring user priority.  Of 1 slots on 1 machines,
      1 slots are rejected by your job's requirements
      0 slots reject your job because of their own requirements
      0 slots match and are willing to run your job
`,
    `WARNING:  Be advised:
   No machines matched the job's constraints
`,
    `No successful match recorded.
Last failed match: Fri Nov 27 17:42:45 2026 from vm
Reason for last match failure: no match found
`,
  ],
  tooMuchDisk: [
    `[4]           1  TARGET.Disk >= RequestDisk
`,
    `004.000:  Run analysis summary ignoring user priority.  Of 1 slots on 1 machines,
      0 slots are rejected by your job's requirements
      1 slots reject your job because of their own requirements
      0 slots match and are willing to run your job
`,
    `WARNING:  Be advised:
   Job did not match any machines' constraints
   To see why, pick a machine that you think should match and add
     -reverse -machine <name>
   to your query.
`,
  ],
  behind: [
    `         Slots      If    
Step   Matched   Drained  Condition
----- --------- --------- ---------
[0]           1         1  TARGET.Arch == "X86_64"
[7]           0         1  1 < RequestMemory
`,
    `002.005:  Run analysis summary ignoring user priority.  Of 1 slots on 1 machines,
      0 slots are rejected by your job's requirements
      0 slots match and are willing to run your job
      1 slots would match if drained
`,
    `Last failed match for this autocluster: Fri Nov 27 17:42:45 2026 from vm
	Reason: no match found
Last successful match for this autocluster: Fri Nov 27 17:42:37 2026
This autocluster currently has 4 running jobs.
`,
  ],
}

test.each([
  ['too large, on 23.9', version23.tooLarge, `No machines matched the jobs's constraints: ${unmet}`],
  ['too large, on 25.14', version25.tooLarge, `No machines matched the job's constraints: ${unmet}`],
  ['too large for a disk, on 25.14', version25.tooMuchDisk, "Job did not match any machines' constraints"],
  ['behind others, on 23.9', version23.behind, 'of 1 machines, 1 are able to run your job'],
  ['behind others, on 25.14', version25.behind, 'of 1 slots on 1 machines, 1 slots would match if drained'],
  ['without any machine', [version23.tooLarge[0]!.replace(' 5 ', ' 0 ')], 'it has no machine'],
  ['that is no longer there', ['\n\n-- Schedd: vm : <127.0.0.1:9618?...\n'], null],
])('a job %s waits for what condor_q says, whatever the order of its parts', (_, parts, text) => {
  expect(analysisText(`-- Schedd: vm\n\n${parts.join('\n')}`)).toBe(text)
  expect(analysisText(`-- Schedd: vm\n\n${parts.toReversed().join('\n')}`)).toBe(text)
})
