import { type Act, type Job, outage, type Scheduler } from './scheduler.js'

const user = 'runuser -u researcher --'
const release = { after: 12, does: `${user} condor_release JOB` }
const goOn = { after: 6, does: `${user} condor_continue JOB || ! condor_q JOB -af JobStatus | grep -q 7` }

const acts: readonly Act[] = [
  { name: 'condor_hold', to: 'pending', means: 'nothing', does: `${user} condor_hold JOB`, undo: release },
  { name: 'condor_hold', to: 'running', means: 'put back', does: `${user} condor_hold JOB`, undo: release },
  { name: 'condor_rm', to: 'pending', means: 'cancelled', does: `${user} condor_rm JOB` },
  { name: 'condor_rm', to: 'running', means: 'cancelled', does: `${user} condor_rm JOB` },
  { name: 'condor_vacate_job', to: 'running', means: 'put back', does: `${user} condor_vacate_job JOB` },
  { name: 'condor_vacate_job', to: 'running', means: 'put back', does: `${user} condor_vacate_job -fast JOB` },
  { name: 'condor_suspend', to: 'running', means: 'nothing', does: `${user} condor_suspend JOB`, undo: goOn },
]

const states: readonly (Job['state'] | undefined)[] = [undefined, 'pending', 'running', 'other', 'finished', 'held']

/** A cluster of jobs, one for each group. */
export const htcondor: Scheduler = {
  name: 'htcondor',
  acts,
  outage: outage(
    'condor_off -fast -daemon schedd; until_succeeds "! condor_q"',
    'condor_on -daemon schedd; until_succeeds condor_q',
  ),
  list: 'condor_q -allusers -af:j ProcId JobStatus',
  jobs: text =>
    [...text.matchAll(/^(\d+\.\d+) (\d+) (\d+)$/gm)].map(([, id, group, status]) => ({
      id: id!,
      group: Number(group),
      state: states[Number(status)] ?? 'other',
    })),
  tend: () => '',
}
