import { askedOf, type Pack, type Resources } from '../../domain/job-environment.js'
import { packOf, resourcesOfJob } from '../../domain/packs/pack.js'
import { launchedCount, launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { launchFailed } from '../../domain/runs/verdicts.js'
import { expandableWord, quoteWord } from '../../domain/text/shell-text.js'
import { journalName, planFile, recordsFolder } from '../../runfolder/layout.js'
import type { Entry } from '../../system/folders/entries.js'
import { jobFiles, packFiles, planFiles } from '../job-script.js'

/** File in the folder of a launch with its groups, one a line, if it does not launch all of them. */
const groupsFile = 'groups'

/** How the groups of a launch are packed, and what each job asks for. */
export interface PackedJobs {
  readonly pack: Pack
  readonly resources: Resources
}

/** Null if each group is a job of its own. @param longest see {@link resourcesOfJob} */
export function packedJobs(plan: RunPlan, longest: number | null = null): PackedJobs | null {
  const { pack, resources } = plan.environment
  if (pack === null) return null
  const packed = packOf(pack, launchedCount(plan))
  return { pack: packed, resources: resourcesOfJob(resources, packed, longest) }
}

/** The files of a launch on any scheduler. The first launch writes the plan, and later ones share it. */
export function commonFiles(plan: RunPlan, packed: PackedJobs | null = null): Entry[] {
  const folder = launchFolder(plan.attempt)
  const files = packed ? packFiles(plan, packed.pack, askedOf(packed.resources).time) : jobFiles(plan)
  if (plan.indices)
    return [...files, { path: `${folder}/${groupsFile}`, text: plan.indices.map(index => `${index}\n`) }]
  return packed ? files : [...files, ...planFiles(plan, planFile)]
}

/**
 * The script that a scheduler starts on a node for each job: it waits for the folder of the launch, and starts job.sh.
 * @param facts shell lines that set `node`, `job` (the id that the user sees) and `place` (which job of the launch it is, from 0);
 * with several groups in a job also `generation`, which is higher in a later job for the same groups
 * @param count shell lines that set `restarts`, how often the job was started before; they may read `$journal` (of the group), or
 * `$first` (position of the first of several groups) and `$launch`
 */
export function startScript(plan: RunPlan, facts: string, count: string, packed: PackedJobs | null = null): string {
  const shell = plan.environment.shell.length > 0 ? plan.environment.shell.map(expandableWord).join(' ') : '/bin/sh'
  const [mode, groups] = packed ? ["pack ''", '"$first" "$count" "$generation"'] : ['task "$journal"', '"$index"']
  return `#!/bin/sh
# Starts ${packed ? 'some groups' : 'one group'} of run ${plan.runId} of ${plan.experiment} on a node.
${facts.trimEnd()}
run=${quoteWord(plan.place.there)}
launch=$run/${launchFolder(plan.attempt)}
is_there() { [ -r "$launch/job.sh" ] && [ -r "$launch/settings.sh" ]; }
# A network file system may show new files a little late, and sooner when their folder is listed.
tries=6
while ! is_there && [ "$tries" -gt 0 ]; do
  tries=$((tries - 1))
  sleep 5
  ls "$launch" >/dev/null 2>&1
done
if ! is_there; then
  echo "qanat: the node $node cannot read $launch: is that file system mounted there?" >&2
  exit ${launchFailed}
fi
${packed ? rangeLines(plan, packed.pack, count) : groupLines(plan, count)}
exec ${shell} "$launch/job.sh" ${mode} "$node" "$job" "$restarts" ${groups}
`
}

/** The range of the groups of a job. */
function rangeLines(plan: RunPlan, { groups }: Pack, count: string): string {
  return `first=$((place * ${groups})) count=$((${launchedCount(plan)} - place * ${groups}))
[ "$count" -le ${groups} ] || count=${groups}
${count.trimEnd()}`
}

function groupLines(plan: RunPlan, count: string): string {
  const index = plan.indices ? `$(sed -n "$((place + 1))p" "$launch/${groupsFile}")` : '$place'
  const journal = `$run/${recordsFolder}/${journalName('$index', plan.attempt)}`
  return `index=${index}
journal="${journal}"
${count.trimEnd()}`
}
