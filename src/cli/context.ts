import type { Workspace } from '../operations/workspace.js'
import { loadConfig } from '../project/config.js'
import { findProject } from '../project/find-project.js'
import { findRunnerKind, runnerKinds, runnerNames } from '../runners/index.js'
import type { Runner } from '../runners/types.js'
import { here } from '../sites/here.js'
import type { Site } from '../sites/site.js'
import { Store } from '../store/store.js'
import { warningText } from '../views/error.js'

/** Wires the project that a folder belongs to. What must be said of its configuration is said at once, on stderr. */
export function openWorkspace(cwd: string): Workspace {
  const project = findProject(cwd)
  const { config, warnings } = loadConfig(project.root, runnerNames)
  const warn = (message: string) => process.stderr.write(warningText(message))
  for (const warning of warnings) warn(warning)
  return {
    project,
    config,
    store: Store.open(project.databaseFile),
    cwd,
    site: here,
    findRunner: runnersOf(here),
    warn,
  }
}

/** A runner of every kind, of this machine. */
export function everyRunner(): Runner[] {
  return runnerKinds.map(kind => kind.at(here))
}

/** Finds the runners of a site by their names; each is made once. */
function runnersOf(site: Site): (name: string) => Runner {
  const made = new Map<string, Runner>()
  return name => {
    const runner = made.get(name) ?? findRunnerKind(name).at(site)
    made.set(name, runner)
    return runner
  }
}
