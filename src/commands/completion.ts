import { Args } from '../cli/arguments.js'
import { QanatCommand } from '../cli/base-command.js'
import { completionScript, shells } from '../cli/completion/complete.js'

export default class Completion extends QanatCommand {
  static override summary = 'Set up Tab in bash, zsh or fish'
  static override description = `Put the line of your shell into its startup file, and start the shell again:
  ~/.bashrc                    eval "$(qanat completion bash)"
  ~/.zshrc                     source <(qanat completion zsh)
  ~/.config/fish/config.fish   qanat completion fish | source`
  static override topics = ['install']
  static override examples = [{ description: 'Print the script itself', command: 'qanat completion bash' }]
  static override args = {
    shell: Args.string({ required: true, description: `the shell: ${shells.join(', ')}`, options: shells }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(Completion)
    this.print(completionScript(args.shell))
  }
}
