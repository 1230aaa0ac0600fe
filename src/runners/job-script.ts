import { launchFolder, type RunPlan } from '../domain/runs/run-plan.js'
import { settingsFile } from '../runfolder/layout.js'
import type { Entry } from '../system/folders/entries.js'
import container from './container.sh?raw'
import failures from './failures.sh?raw'
import frozen from './frozen.sh?raw'
import script from './job.sh?raw'
import modules from './modules.sh?raw'
import processes from './processes.sh?raw'
import records from './records.sh?raw'
import { environmentText, scriptParts, settingsText } from './settings.js'
import template from './template.sh?raw'

const parts = { container: [container], template: [template, modules], failures: [failures], frozen: [frozen] }

/** The scripts that run the groups of a launch, the same for every runner. job.sh comes last, since it needs the others. */
export function jobFiles(plan: RunPlan): Entry[] {
  const folder = launchFolder(plan.attempt)
  return [
    { path: settingsFile(plan.attempt), text: [settingsText(plan)], access: 'private' },
    ...scriptParts(plan).map(name => ({ path: `${folder}/${name}.sh`, text: parts[name] })),
    { path: `${folder}/environment.sh`, text: [environmentText] },
    { path: `${folder}/job.sh`, text: [processes, records, script], access: 'executable' },
  ]
}
