import { Flags } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { projectToCheck } from '../cli/context.js'
import { keepWaiting } from '../operations/outputs/keep-outputs.js'
import { checkProject, repair } from '../operations/project/doctor.js'
import { leakFindings } from '../operations/project/find-leaks.js'
import { findingsText, repairedText } from '../views/doctor.js'

export default class Doctor extends QanatCommand {
  static override summary = 'Check the project, and repair it'
  static override description =
    'Git, settings, database, folders and schedulers are checked. What is wrong is listed with its remedy. The exit code is 1 if an error remains.'
  static override examples = [
    'qanat doctor',
    'qanat doctor --repair',
    { description: 'Find out whether a script has printed a secret', command: 'qanat doctor --secrets' },
  ]
  static override enableJsonFlag = true
  static override flags = {
    repair: Flags.boolean({
      description: 'rebuild a damaged or lost database from .qanat/definitions and the folders of the runs',
    }),
    secrets: Flags.boolean({ description: 'search the files of runs for the values of secrets' }),
    hash_outputs: Flags.boolean({
      hidden: true,
      description: 'hash what runs have left, where their experiment asks for it',
    }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Doctor)
    if (flags.hash_outputs) return keepWaiting(await this.workspace())
    const checked = projectToCheck(process.cwd())
    const repaired = flags.repair ? await repair(checked) : null
    if (repaired) this.print(`${repairedText(repaired)}\n`)
    const found = await checkProject(checked, repaired !== null)
    const checks = flags.secrets ? [...found, ...(await leakFindings(await checked.open()))] : found
    this.print(findingsText(this.screen, checks))
    if (checks.some(({ state }) => state === 'error')) process.exitCode = 1
    return { checks, ...(repaired && { repaired }) }
  }
}
