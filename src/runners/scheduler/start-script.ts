import { launchFailed } from '../../domain/judge-group.js'
import type { RunPlan } from '../../domain/run-plan.js'
import { expandableWord, quoteWord } from '../../domain/shell-text.js'
import { recordsFolder } from '../run-folder.js'

/**
 * The script that a scheduler starts on a node for each group: it finds the run's folder and goes on there.
 * @param facts shell lines that set `node`, `job` (the id that its user knows), `restarts` and `index` (of the group)
 */
export function startScript(plan: RunPlan, facts: string): string {
  const shell = plan.environment.shell.length > 0 ? plan.environment.shell.map(expandableWord).join(' ') : '/bin/sh'
  return `#!/bin/sh
# Starts one group of run ${plan.runId} of ${plan.experiment} on a node.
${facts.trimEnd()}
run=${quoteWord(plan.storagePath)}
# A network file system may show what is new a little late, and sooner when its folder is listed.
tries=6
while [ ! -r "$run/.run/job.sh" ] && [ "$tries" -gt 0 ]; do
  tries=$((tries - 1))
  sleep 5
  ls "$run/.run" >/dev/null 2>&1
done
if [ ! -r "$run/.run/job.sh" ]; then
  echo "qanat: the node $node cannot read $run/.run: is that file system mounted there?" >&2
  exit ${launchFailed}
fi
exec ${shell} "$run/.run/job.sh" task "$run/${recordsFolder}/$index" "$node" "$job" "$restarts" "$index"
`
}
