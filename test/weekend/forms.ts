/** How much happens in a weekend. */
export interface Form {
  readonly groups: Readonly<Record<'slurm' | 'htcondor', number>>
  /** How often everything that somebody may do to a job or to a cluster is done. */
  readonly rounds: number
  /** How often each scheduler is away for longer than the time limit. */
  readonly outages: number
  /** Seconds between two of these events of a scheduler. */
  readonly pause: number
}

/** About an hour. */
export const whole: Form = { groups: { slurm: 2000, htcondor: 500 }, rounds: 25, outages: 3, pause: 8 }

/** Some minutes. */
export const short: Form = { groups: { slurm: 48, htcondor: 16 }, rounds: 1, outages: 1, pause: 3 }
