import { join, resolve } from 'node:path'
import { argument } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { demoSteps, isInPath, makeDemo, playStep } from '../cli/demo.js'
import { demoEnd, demoLine } from '../views/init.js'

export default class Demo extends QanatCommand {
  static override summary = 'Show a first session, in a project to keep'
  static override description =
    'The session runs a script 20 times on the iris data, compares what came out, explains a failure and finds out what made a figure. It takes about 20 seconds and needs python3.'
  static override examples = ['qanat demo', { description: 'In a folder of your choice', command: 'qanat demo ~/iris' }]
  static override args = {
    dir: argument('the folder to make; without it, a temporary one', 'folders'),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(Demo)
    const program = [process.execPath, join(this.config.root, 'bin/run.js')]
    const example = join(this.config.root, 'examples/iris')
    const folder = await makeDemo(example, args.dir === undefined ? null : resolve(args.dir))
    for (const [at, step] of demoSteps.entries()) {
      this.say(demoLine(step, at, demoSteps.length))
      await playStep(folder, program, step)
    }
    this.say(demoEnd(folder, isInPath() ? null : program))
  }
}
