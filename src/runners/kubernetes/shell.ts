import { barePod } from '../../domain/pods/manifest.js'
import { attendedProgram, shellPodName, type TerminalPod } from '../../domain/pods/terminal.js'
import type { RunPlan } from '../../domain/runs/run-plan.js'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import type { Namespace } from '../../sites/site.js'
import { queueLabel } from './jobs.js'
import type { KubernetesOptions } from './options.js'
import { templateSpec } from './pod.js'

/** A pod for a shell: that of a template, which has the time of a group. */
export function shellPod(plan: RunPlan, options: KubernetesOptions, place: Namespace): TerminalPod {
  const name = shellPodName(plan.place.there)
  const limited = options.time === null ? {} : { activeDeadlineSeconds: options.time }
  const spec = templateSpec(options, place, { command: ['sh', '-c', attendedProgram] }, limited)
  return { name, manifest: barePod(name, place.volume, queueLabel(options), spec) }
}

/** Why no shell can have the environment of a group; null if one can. @param pod of a group that runs */
export function refusalOfShell({ title, kubectl, volume }: Namespace, pod: string | null): UserError | null {
  if (volume.claim !== null) return null
  const plain = displayCommand([...kubectl, 'exec', '-it', pod ?? 'POD', '--', 'sh'])
  return new UserError(
    `${title} has no volume, on which a shell would find the code and the environment of the group`,
    pod === null
      ? 'use a claim: results: volume or node in the context'
      : `${plain}        opens a plain shell in its pod`,
  )
}
