import { isAbsolute, relative, resolve } from 'node:path'
import type { Run } from '../domain/runs/run.js'
import type { Place } from '../domain/runs/run-plan.js'
import type { Config } from '../project/config.js'
import type { Context } from '../project/contexts/contexts.js'
import type { Project } from '../project/find-project.js'
import { resultFolderAt } from '../project/result-folder.js'
import type { ReadFolder } from '../runfolder/files/presence.js'
import type { Runner } from '../runners/types.js'
import type { Site } from '../sites/site.js'
import type { Store } from '../store/store.js'

/** What an operation works on: one project, opened. */
export interface Workspace {
  readonly project: Project
  readonly store: Store
  readonly config: Config
  /** The current folder of the user: relative paths that were typed start here. */
  readonly cwd: string
  /** This machine, where scripts other than those of runs are executed. */
  readonly here: Site
  /** Where runs are launched. */
  readonly site: Site
  /** The place of that name where runs live. @throws UserError that lists the sites */
  findSite(name: string): Site
  /** Removes what was made for visits to sites; call it at the end. */
  leaveSites(): Promise<void>
  /** The context of that site; null for this machine. @throws UserError if it cannot be used, or there is none */
  findContext(site: string): Context | null
  /** The runner of that name at a site, always the same object. @throws UserError that lists the runners */
  findRunner(site: Site, name: string): Runner
  /** Shows a warning to the user. */
  warn(message: string): void
  /** Tells the user what was done as it was asked for. */
  note(message: string): void
  /** Shows how far work is that takes long; the next text replaces it, and null takes it away. */
  progress(text: string | null): void
}

/** The settings for runs at a site: the keys and templates of its context come first. @throws UserError if that cannot be used */
export function configAt(
  { config, findContext }: Pick<Workspace, 'config' | 'findContext'>,
  { name }: Pick<Site, 'name'>,
): Config {
  const context = findContext(name)
  if (context === null) return config
  const { prepare, prepareInputs } = context
  const templates = () => {
    const ofProject = config.templates()
    const names = Object.keys({ ...ofProject, ...context.templates })
    return Object.fromEntries(names.map(runner => [runner, { ...ofProject[runner], ...context.templates[runner] }]))
  }
  return { ...config, prepare, prepareInputs, templates }
}

/** The site where a run lives. @throws UserError if it is not known */
export function siteOf({ findSite }: Pick<Workspace, 'findSite'>, { site }: Pick<Run, 'site'>): Site {
  return findSite(site)
}

/** Whether commands wait for the groups of a runner, and Ctrl-C cancels them. */
export function isInForeground({ site, kind }: Runner): boolean {
  return site.isHere && kind.traits.has('foreground')
}

/** The runner of a run, at its site. @throws UserError if either is not known */
export function runnerOf(
  workspace: Pick<Workspace, 'findSite' | 'findRunner'>,
  run: Pick<Run, 'site' | 'runner'>,
): Runner {
  return workspace.findRunner(siteOf(workspace, run), run.runner)
}

/** The folder of a run, here and there. */
export function placeOf(workspace: Workspace, run: Pick<Run, 'site' | 'storagePath'>): Place {
  const here = absolutePath(workspace, run.storagePath)
  return { here, there: siteOf(workspace, run).there(here) }
}

/** The folder of a run as it is read here. Files of a run elsewhere may not have been fetched. */
export function readFolder(workspace: Workspace, { site, storagePath }: Pick<Run, 'site' | 'storagePath'>): ReadFolder {
  return { path: absolutePath(workspace, storagePath), isMirror: site !== workspace.here.name }
}

/** The absolute form of a stored path, which is relative to the project's root if it lies inside. */
export function absolutePath(workspace: { readonly project: Pick<Project, 'root'> }, path: string): string {
  return resolve(workspace.project.root, path)
}

/** The form in which a path is stored: relative to the project if it lies inside, so that the project can be moved. */
export function storedPath(workspace: Workspace, path: string): string {
  const inside = relative(workspace.project.root, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

/** Absolute folder that holds the results of all experiments. @throws UserError if it is not known here */
export function resultFolder({ project, config }: Pick<Workspace, 'project' | 'config'>): string {
  return resultFolderAt(project.root, config.resultDir)
}
