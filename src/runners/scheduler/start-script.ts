import { launchFolder, type RunPlan } from '../../domain/runs/run-plan.js'
import { launchFailed } from '../../domain/runs/verdicts.js'
import { expandableWord, quoteWord } from '../../domain/text/shell-text.js'
import { journalName, planFile, recordsFolder } from '../../runfolder/layout.js'
import type { Entry } from '../../system/folders/entries.js'
import { jobFiles, planFiles } from '../job-script.js'

/** File in the folder of a launch with its groups, one a line, if it does not launch all of them. */
const groupsFile = 'groups'

/** The files of a launch on any scheduler. The first launch writes the plan, and later ones share it. */
export function commonFiles(plan: RunPlan): Entry[] {
  const folder = launchFolder(plan.attempt)
  const files = jobFiles(plan)
  if (plan.indices)
    return [...files, { path: `${folder}/${groupsFile}`, text: plan.indices.map(index => `${index}\n`) }]
  return [...files, ...planFiles(plan, planFile)]
}

/**
 * The script that a scheduler starts on a node for each group: it waits for the folder of the launch, and starts job.sh.
 * @param facts shell lines that set `node`, `job` (the id that the user sees) and `place` (the position of the group among
 * those of the launch, from 0)
 * @param count shell lines that set `restarts`, how often the job was started before; they may read `$journal`
 */
export function startScript(plan: RunPlan, facts: string, count: string): string {
  const shell = plan.environment.shell.length > 0 ? plan.environment.shell.map(expandableWord).join(' ') : '/bin/sh'
  const index = plan.indices ? `$(sed -n "$((place + 1))p" "$launch/${groupsFile}")` : '$place'
  const journal = `$run/${recordsFolder}/${journalName('$index', plan.attempt)}`
  return `#!/bin/sh
# Starts one group of run ${plan.runId} of ${plan.experiment} on a node.
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
index=${index}
journal="${journal}"
${count.trimEnd()}
exec ${shell} "$launch/job.sh" task "$journal" "$node" "$job" "$restarts" "$index"
`
}
