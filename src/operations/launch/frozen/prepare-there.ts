import { preparationKeyThere } from '../../../code/frozen/prepared.js'
import type { RunCode } from '../../../code/run-code.js'
import type { JobEnvironment } from '../../../domain/job-environment.js'
import { displayCommand, quoteWord } from '../../../domain/text/shell-text.js'
import { OperationError } from '../../../errors.js'
import type { MachineContext } from '../../../project/contexts/contexts.js'
import { resolveTemplate } from '../../../project/templates/templates.js'
import type { Runner } from '../../../runners/types.js'
import { configAt, type Workspace } from '../../workspace.js'
import { jobOptions } from '../job-options.js'
import { preparationLines } from './preparation-lines.js'
import waiting from './prepare-there.sh?raw'

/** How long the preparation of a copy may take, in milliseconds: on the machine itself, and in a job, which may have to wait. */
const [preparationTime, timeInQueue] = [3_600_000, 86_400_000]

/** What a frozen copy is for: the runner of its groups, with a template. */
export interface FrozenFor {
  readonly runner: Runner
  readonly plan: { readonly environment: JobEnvironment }
  readonly options: unknown
}

type MakeJob = NonNullable<Runner['singleJob']>

/** A copy of another site. */
interface CopyThere {
  /** Absolute paths as they would be here: of the copy, and of the project's root in it. */
  readonly folder: string
  readonly workingDirectory: string
  readonly code: RunCode
}

/**
 * What prepares copies at another site: each once, on the machine that is logged in to, or in a job. Their output is in a file
 * beside the copy.
 * @throws UserError if there is no such template for the job
 */
export function preparationThere(
  workspace: Workspace,
  launch: FrozenFor,
): (copy: CopyThere, interruption: AbortSignal) => Promise<void> {
  const { site } = launch.runner
  const config = configAt(workspace, site)
  const { prepare } = config
  if (prepare.length === 0) return async () => {}
  const { environment, jobOf } = wayOf(workspace, launch)
  return async (copy, interruption) => {
    const record = site.there(`${copy.folder}.prepared`)
    const key = await preparationKeyThere(config, copy.code)
    const variables = {
      ...environment.env,
      QANAT_COMMIT: copy.code.commit,
      QANAT_PROJECT: site.there(workspace.project.root),
    }
    const script = scriptOf(
      record,
      key,
      site.there(copy.workingDirectory),
      variables,
      preparationLines(environment, prepare),
    )
    const job = jobOf({ name: 'qanat-prepare', script: `${record}.sh`, log: `${record}.log` })
    workspace.progress(job && `A job prepares the frozen copy on ${site.name}`)
    const lines = [newline, ...(job ? [linesOf(job)] : []), waiting].join('\n')
    const { stdout, stderr, exitCode, ending } = await site.run(['sh', '-c', lines, 'sh', record, key, script], {
      ...(job && { environment: job.environment }),
      timeout: job ? timeInQueue : preparationTime,
      ending: interruption,
    })
    workspace.progress(null)
    if (exitCode === 0) {
      if (stdout !== '')
        for (const command of prepare) workspace.note(`Prepared the frozen copy on ${site.name}: ${command}`)
      return
    }
    const [, exit = `exit ${exitCode}`, said = stdout] = /^(exit \d+)\n?(.*)$/s.exec(stdout) ?? []
    const reason = ending === 'timeout' ? 'it took too long' : exit
    throw new OperationError(
      `the frozen copy on ${site.name} could not be prepared (${reason}), and nothing was launched:\n${`${said}\n${stderr}`
        .trim()
        .split('\n')
        .map(line => `  ${line}`)
        .join('\n')}`,
      `${displayCommand(['ssh', (workspace.findContext(site.name) as MachineContext).host, 'cat', `${record}.log`])}        shows the whole output`,
    )
  }
}

/** Where preparations run, and in which environment: that of the template of the run, or of another one. */
function wayOf(workspace: Workspace, { runner, plan, options }: FrozenFor) {
  const on = workspace.findContext(runner.site.name)!.prepareOn
  const isJob = on !== 'login' && runner.singleJob !== undefined
  const other = isJob && on !== 'job' ? on.job : null
  const chosen =
    other === null
      ? { environment: plan.environment, options }
      : jobOptions(runner, resolveTemplate(configAt(workspace, runner.site), runner.kind.name, other))
  return {
    environment: chosen.environment,
    jobOf: (parts: Parameters<MakeJob>[0]) => (isJob ? runner.singleJob!(parts, chosen.options) : null),
  }
}

function linesOf({ submit, look, explain, cancel }: ReturnType<MakeJob>): string {
  const functions = { submit_job: submit, look_for_job: look, explain_job: explain, cancel_job: cancel }
  return Object.entries(functions)
    .map(([name, lines]) => `${name}() {\n${lines}\n}`)
    .join('\n')
}

/** What quoted words with newlines need. */
const newline = "QANAT_NEWLINE='\n'"

/** The script of a preparation. It needs nothing of who starts it. */
function scriptOf(
  record: string,
  key: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
  lines: string,
): string {
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteWord(value)}`)
  return `#!/bin/sh
${newline}
record=${quoteWord(record)}
key=${quoteWord(key)}
exec >>"$record.log" 2>&1 </dev/null
write() { printf '%s' "$2" >"$1.new" && mv -f -- "$1.new" "$1"; }
trap 'code=$?; [ "$code" != 0 ] || write "$record" "$key"; write "$record.end" "$code"' EXIT
cd -- ${quoteWord(folder)} || exit
${exports.join('\n')}
${lines}
`
}
