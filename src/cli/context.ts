import { HERE } from '../domain/runs/run.js'
import type { ProjectToCheck } from '../operations/project/doctor.js'
import type { Workspace } from '../operations/workspace.js'
import { type Config, loadConfig, reports } from '../project/config.js'
import { findContext } from '../project/contexts/contexts.js'
import { findProject } from '../project/find-project.js'
import { findRunnerKind, runnerKinds, runnerNames } from '../runners/index.js'
import type { Runner } from '../runners/types.js'
import { here } from '../sites/here.js'
import type { Site } from '../sites/site.js'
import type { Store } from '../store/store.js'
import { watchPrograms } from '../system/programs.js'
import { progressLine } from '../views/format/progress-line.js'
import { leaveOutSymbols } from '../views/format/style.js'
import { sitesOf, usedContext } from './contexts/sites.js'
import { showNote, showProgram, showWarning } from './explain.js'
import { openFollowed, openStore } from './open-store.js'

/**
 * Opens the project that a folder belongs to. Warnings about its configuration are printed to stderr at once. Its setting
 * `logging` says what else is printed there.
 * @param quiet whether nothing but errors is
 * @param opened its database, if it is open already
 * @param contextName where it launches runs; by default what the variable QANAT_CONTEXT or the setting `context` names
 */
export async function openWorkspace(
  cwd: string,
  quiet = false,
  opened: Store | null = null,
  contextName?: string,
): Promise<Workspace> {
  const project = findProject(cwd, runnerNames)
  const { config: settings, warnings } = loadConfig(project)
  const name = contextName ?? usedContext(settings)
  const config: Config = quiet ? { ...settings, logging: 'ERROR' } : settings
  const warn = (message: string) => showWarning(message, reports(config, 'WARNING'))
  for (const warning of warnings) warn(warning)
  if (!config.emoji) leaveOutSymbols()
  if (reports(config, 'DEBUG')) watchPrograms(showProgram)
  const store = opened ?? (await openStore(project, warn))
  const progress = reports(config, 'INFO') ? progressLine(process.stderr) : () => {}
  const note = (message: string) => showNote(message, reports(config, 'INFO'))
  const sites = sitesOf(project, store)
  const contextOf = (site: string) => (site === HERE ? null : findContext(project, site))
  const own = { project, config, store, cwd }
  return {
    ...own,
    here,
    ...sites,
    site: sites.findSite(name),
    findContext: contextOf,
    findRunner: runners(),
    warn,
    note,
    progress,
  }
}

/** The project that a folder belongs to, for `doctor`: it may be impossible to open. */
export function projectToCheck(cwd: string): ProjectToCheck {
  const project = findProject(cwd, runnerNames)
  return {
    project,
    open: async () => openWorkspace(project.root, false, await openFollowed(project, showWarning)),
    runners: runnerKinds.map(kind => kind.at(here)),
  }
}

/** Finds runners by site and name; each is created once. */
function runners(): Workspace['findRunner'] {
  const made = new Map<Site, Map<string, Runner>>()
  return (site, name) => {
    const ofSite = made.get(site) ?? new Map<string, Runner>()
    const runner = ofSite.get(name) ?? findRunnerKind(name).at(site)
    made.set(site, ofSite.set(name, runner))
    return runner
  }
}
