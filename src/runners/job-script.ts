import type { Pack } from '../domain/job-environment.js'
import { launchFolder, planWithIndex, type RunPlan } from '../domain/runs/run-plan.js'
import { quoteWord, quoteWords } from '../domain/text/shell-text.js'
import { poolPlan, settingsFile } from '../runfolder/layout.js'
import type { Entry } from '../system/folders/entries.js'
import container from './container.sh?raw'
import failures from './failures.sh?raw'
import frozen from './frozen.sh?raw'
import type { DealtGpus } from './gpus.js'
import gpus from './gpus.sh?raw'
import script from './job.sh?raw'
import keeper from './keeper.sh?raw'
import kills from './kills.sh?raw'
import limits from './limits.sh?raw'
import modules from './modules.sh?raw'
import type { OnTerminal } from './outside-runs.js'
import pack from './pack.sh?raw'
import pod from './pod.sh?raw'
import pool from './pool.sh?raw'
import pour from './pour.sh?raw'
import processes from './processes.sh?raw'
import records from './records.sh?raw'
import { environmentText, packSettings, podSettings, poolSettings, scriptParts, settingsText } from './settings.js'
import shell from './shell.sh?raw'
import storage from './storage.sh?raw'
import template from './template.sh?raw'
import type { Seat } from './types.js'

const parts = {
  container: [container],
  template: [template, modules],
  failures: [failures],
  frozen: [frozen],
  storage: [storage],
}

/** The scripts that run the groups of a launch, the same for every runner. job.sh comes last, since it needs the others. */
export function jobFiles(plan: RunPlan, more = ''): Entry[] {
  const folder = launchFolder(plan.attempt)
  return [
    { path: settingsFile(plan.attempt), text: [settingsText(plan), more], access: 'private' },
    ...scriptParts(plan).map(name => ({ path: `${folder}/${name}.sh`, text: parts[name] })),
    { path: `${folder}/environment.sh`, text: [environmentText] },
    { path: `${folder}/job.sh`, text: [processes, records, script], access: 'executable' },
  ]
}

/** The files for a shell in the environment of a group, and which of them starts it. @param before words of what runs it on a node */
export function shellOnTerminal(
  plan: RunPlan,
  { index, host, command }: Seat,
  before: readonly string[] = [],
): OnTerminal {
  const folder = launchFolder(plan.attempt)
  const more = `qanat_parts="$qanat_parts shell" QANAT_COMMAND=${quoteWord(command)}\n`
  const script = `${plan.place.there}/${folder}/job.sh`
  const words = [...before, 'sh', script, 'shell', '', host, '-', '0', String(index)]
  const files = [
    ...jobFiles(plan, more),
    { path: `${folder}/shell.sh`, text: [shell] },
    { path: `${folder}/start.sh`, text: [`exec ${quoteWords(words)}\n`] },
  ]
  return { files, start: `${plan.place.there}/${folder}/start.sh` }
}

/** The same for a launch whose groups are dealt to the slots of a pool, with its plan. */
export function poolFiles(plan: RunPlan, dealt?: DealtGpus): Entry[] {
  const pools = { path: `${launchFolder(plan.attempt)}/pool.sh`, text: [pool, keeper, limits] }
  return [
    ...planFiles(plan, poolPlan(plan.attempt), plan.indices ?? undefined),
    pools,
    ...(dealt ? [{ path: `${launchFolder(plan.attempt)}/gpus.sh`, text: [gpus] }] : []),
    ...jobFiles(plan, poolSettings(plan, dealt)),
  ]
}

/** The same for a launch whose jobs have many groups each. @param time see {@link packSettings} */
export function packFiles(plan: RunPlan, packed: Pack, time: number | null): Entry[] {
  return [
    ...planFiles(plan, poolPlan(plan.attempt), plan.indices ?? undefined),
    { path: `${launchFolder(plan.attempt)}/pool.sh`, text: [pool, keeper, limits] },
    { path: `${launchFolder(plan.attempt)}/pack.sh`, text: [kills, pack] },
    ...jobFiles(plan, packSettings(plan, packed, time)),
  ]
}

/** The same for a launch whose groups are dealt to pods. @param share whether these share a volume */
export function podFiles(plan: RunPlan, share: boolean): Entry[] {
  return [
    ...planFiles(plan, poolPlan(plan.attempt), plan.indices ?? undefined),
    { path: `${launchFolder(plan.attempt)}/pool.sh`, text: [pool, keeper, limits] },
    { path: `${launchFolder(plan.attempt)}/pod.sh`, text: [kills, pod] },
    ...(share ? [] : [{ path: `${launchFolder(plan.attempt)}/pour.sh`, text: [pour] }]),
    ...jobFiles(plan, podSettings(plan, share)),
  ]
}

/** The plan and its index, in this order, since the index is of what was read of the plan. */
export function planFiles(plan: RunPlan, path: string, indices?: Iterable<number>): Entry[] {
  const { lines, index } = planWithIndex(plan, indices)
  return [
    { path, text: lines },
    { path: `${path}.index`, text: index },
  ]
}
