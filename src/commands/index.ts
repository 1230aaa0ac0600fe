import type { CommandClass } from '../cli/base-command.js'

type CommandModule = () => Promise<{ default: CommandClass }>

/** Every command by its words. Each is loaded only when it is called. */
export const commands: Readonly<Record<string, CommandModule>> = {
  completion: () => import('./completion.js'),
  demo: () => import('./demo.js'),
  init: () => import('./init.js'),
  export: () => import('./export.js'),
  doctor: () => import('./doctor.js'),
  status: () => import('./status.js'),
  failures: () => import('./results/failures.js'),
  groups: () => import('./results/groups.js'),
  collect: () => import('./results/collect.js'),
  compare: () => import('./results/compare.js'),
  diff: () => import('./results/diff.js'),
  sql: () => import('./results/sql.js'),
  plot: () => import('./results/plot.js'),
  report: () => import('./results/report.js'),
  'cache clean': () => import('./cache/clean.js'),
  'cache status': () => import('./cache/status.js'),
  'config edit': () => import('./config/edit.js'),
  'config get': () => import('./config/get.js'),
  'config set': () => import('./config/set.js'),
  'config show': () => import('./config/show.js'),
  'config unset': () => import('./config/unset.js'),
  'dataset delete': () => import('./dataset/delete.js'),
  'dataset diff': () => import('./dataset/diff.js'),
  'dataset export': () => import('./dataset/export.js'),
  'dataset list': () => import('./dataset/list.js'),
  'dataset new': () => import('./dataset/new.js'),
  'dataset update': () => import('./dataset/update.js'),
  'dataset verify': () => import('./dataset/verify.js'),
  'document add_dependency': () => import('./document/add_dependency.js'),
  'document compile': () => import('./document/compile.js'),
  'document delete': () => import('./document/delete.js'),
  'document delete_dependency': () => import('./document/delete_dependency.js'),
  'document export': () => import('./document/export.js'),
  'document list': () => import('./document/list.js'),
  'document new': () => import('./document/new.js'),
  'document status': () => import('./document/status.js'),
  'document update': () => import('./document/update.js'),
  'document view': () => import('./document/view.js'),
  'env diff': () => import('./env/diff.js'),
  'env show': () => import('./env/show.js'),
  'experiment action': () => import('./run/action.js'),
  'experiment delete': () => import('./experiment/delete.js'),
  'experiment export': () => import('./experiment/export.js'),
  'experiment list': () => import('./experiment/list.js'),
  'experiment new': () => import('./experiment/new.js'),
  'experiment rerun': () => import('./run/rerun.js'),
  'experiment run': () => import('./run/run.js'),
  'experiment run_cancel': () => import('./run/run_cancel.js'),
  'experiment run_comment': () => import('./run/run_comment.js'),
  'experiment run_delete': () => import('./run/run_delete.js'),
  'experiment run_explore': () => import('./run/run_explore.js'),
  'experiment run_logs': () => import('./run/run_logs.js'),
  'experiment run_retry': () => import('./run/run_retry.js'),
  'experiment run_show': () => import('./run/run_show.js'),
  'experiment run_tag': () => import('./run/run_tag.js'),
  'experiment run_wait': () => import('./run/run_wait.js'),
  'experiment status': () => import('./experiment/status.js'),
  runs: () => import('./run/runs.js'),
  'trash empty': () => import('./trash/empty.js'),
  'trash list': () => import('./trash/list.js'),
  'trash restore': () => import('./trash/restore.js'),
  view: () => import('./results/view.js'),
  whence: () => import('./results/whence.js'),
  why: () => import('./run/why.js'),
  'experiment update': () => import('./experiment/update.js'),
}

/** The words of a command without their first, for the commands of runs: `qanat run` is `qanat experiment run`. */
export const shortNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(commands)
    .filter(words => /^experiment (run(_|$)|rerun$|action$)/.test(words))
    .map(words => [words.slice('experiment '.length), words]),
)

export const topics: Readonly<Record<string, string>> = {
  cache: 'List or remove frozen copies of commits',
  config: 'Show and change settings',
  dataset: 'Name the data that experiments read',
  document: 'Keep papers and reports up to date',
  env: 'Show and compare the software that runs used',
  experiment: 'Register scripts as experiments',
  trash: 'Restore deleted runs, or erase them',
}

/** The words of `qanat --help`, all of them, by what a person wants to do. */
export const purposes: Readonly<Record<string, readonly string[]>> = {
  start: ['demo', 'init', 'dataset', 'experiment', 'document', 'completion'],
  launch: ['run', 'run_wait', 'run_cancel', 'run_retry', 'rerun', 'action'],
  look: ['status', 'runs', 'run_show', 'groups', 'run_logs', 'why', 'failures', 'whence', 'run_explore', 'view'],
  results: ['compare', 'diff', 'plot', 'report', 'collect', 'sql', 'env'],
  keep: ['run_tag', 'run_comment', 'run_delete', 'trash', 'export'],
  project: ['config', 'doctor', 'cache'],
}
