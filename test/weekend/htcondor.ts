import { type Act, type Job, outageSeconds, type Scheduler } from './scheduler.js'

const toJob = (name: string, to: Job['state'], means: Act['means'], words = ''): Act => ({
  name,
  to,
  means,
  does: id => `runuser -u researcher -- ${name} ${words} ${id}`,
})
const release = { after: 12, does: (id: string) => `runuser -u researcher -- condor_release ${id}` }

const acts: readonly Act[] = [
  { ...toJob('condor_hold', 'pending', 'nothing'), undo: release },
  { ...toJob('condor_hold', 'running', 'put back'), undo: release },
  toJob('condor_rm', 'pending', 'cancelled'),
  toJob('condor_rm', 'running', 'cancelled'),
  toJob('condor_vacate_job', 'running', 'put back'),
  toJob('condor_vacate_job', 'running', 'put back', '-fast'),
  {
    ...toJob('condor_suspend', 'running', 'nothing'),
    undo: {
      after: 6,
      does: id => `runuser -u researcher -- condor_continue ${id} || ! condor_q ${id} -af JobStatus | grep -q 7`,
    },
  },
]

const states: readonly (Job['state'] | undefined)[] = [undefined, 'pending', 'running', 'other', 'finished', 'held']

/** A cluster of jobs, one for each group. */
export const htcondor: Scheduler = {
  name: 'htcondor',
  acts,
  outage: {
    name: 'outage',
    to: null,
    means: 'nothing',
    does: () => 'condor_off -fast -daemon schedd; until_succeeds "! condor_q"',
    undo: {
      after: outageSeconds,
      does: () => 'condor_on -daemon schedd; until_succeeds condor_q',
    },
    isOutage: true,
    isUpheaval: true,
  },
  list: 'condor_q -allusers -af:j ProcId JobStatus',
  jobs: text =>
    [...text.matchAll(/^(\d+\.\d+) (\d+) (\d+)$/gm)].map(([, id, group, status]) => ({
      id: id!,
      group: Number(group),
      state: states[Number(status)] ?? 'other',
    })),
  tend: () => '',
}
