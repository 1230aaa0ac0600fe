import { Args, liveRunArguments } from '../../cli/arguments.js'
import { QanatCommand } from '../../cli/base-command.js'
import { UserError } from '../../errors.js'
import { mirrorOf } from '../../operations/folder/mirror.js'
import { changeSlots } from '../../operations/runs/change-slots.js'
import { findRun } from '../../operations/runs/find-run.js'
import { runJson } from '../../views/json.js'
import { slotsText } from '../../views/run.js'

export default class ExperimentRunSlots extends QanatCommand {
  static override summary = 'Change the slots of a live run on this machine'
  static override description =
    'What runs goes on to its end. With 0 the run is paused: no other group starts until it has slots again.'
  static override usage = 'RUN N [OPTIONS]'
  static override topics = ['slots', 'resources']
  static override examples = [
    'qanat run_slots 4 8',
    { description: 'Pause the last run, and let it go on', command: 'qanat run_slots latest 0' },
    'qanat run_slots latest 2',
  ]
  static override enableJsonFlag = true
  static override args = {
    ...liveRunArguments,
    run: Args.string({ hidden: true, completes: 'live_runs' }),
    slots: Args.string({ shown: 'N', description: 'how many groups may run at a time; 0 pauses the run' }),
  }

  async run(): Promise<unknown> {
    const { args } = await this.parse(ExperimentRunSlots)
    const words = [args.name, args.run, args.slots].filter(word => word !== undefined)
    const [first, second] = words.slice(0, -1)
    if (first === undefined)
      throw new UserError('how many slots?', `qanat run_slots ${args.name} N        0 pauses the run`)
    const workspace = await this.workspace()
    const run = await changeSlots(workspace, findRun(workspace, first, second), words.at(-1)!)
    this.say(slotsText(run))
    return runJson(run, mirrorOf(workspace, run))
  }
}
