import * as Args from '@oclif/core/args'
import { QanatCommand } from '../cli/base-command.js'
import { completionScript, shells } from '../cli/completion/script.js'

export default class Completion extends QanatCommand {
  static override summary = 'Print a script with which a shell completes commands, options and names'
  static override description =
    'Put the line of your shell into ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish, and start the shell again.'
  static override examples = [
    { description: 'In ~/.bashrc', command: 'eval "$(<%= config.bin %> completion bash)"' },
    { description: 'In ~/.zshrc', command: 'source <(<%= config.bin %> completion zsh)' },
    { description: 'In ~/.config/fish/config.fish', command: '<%= config.bin %> completion fish | source' },
    { description: 'Print the script', command: '<%= config.bin %> completion bash' },
  ]
  static override args = {
    shell: Args.string({ required: true, description: 'the shell', options: shells }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(Completion)
    this.print(completionScript(args.shell))
  }
}
