import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Args } from '@oclif/core'
import { QanatCommand } from '../../cli/base-command.js'
import { OperationError } from '../../errors.js'
import { CONFIG_FILE, checkConfigText, readConfigText } from '../../project/config.js'
import { findProject, type Project } from '../../project/find-project.js'
import { readText } from '../../project/yaml-source.js'
import { editFile, findEditor } from '../../system/editor.js'
import { atomicWrite } from '../../system/files.js'
import { warningText } from '../../views/error.js'

export default class ConfigEdit extends QanatCommand {
  static override summary = 'Edit the settings; what is wrong is not taken over'
  static override description = 'With FILE, that file takes the place of the settings, without an editor.'
  static override examples = ['<%= config.bin %> config edit', '<%= config.bin %> config edit shared-config.yaml']
  static override args = {
    file: Args.string({ description: 'a YAML file to take the settings from', completes: 'files' }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigEdit)
    const project = findProject(process.cwd())
    const before = readConfigText(project.root)
    const text = args.file ? readText(args.file) : await this.edited(before, project)
    if (text === before) return this.print('Nothing was changed.')
    for (const warning of checkConfigText(text, args.file ?? CONFIG_FILE).warnings)
      process.stderr.write(warningText(warning))
    atomicWrite(project.configFile, text)
    this.print('Settings changed. The file is tracked: commit .qanat/config.yaml to keep them.')
  }

  /** The text as the user leaves it; what is refused stays in a file that the error names. */
  private async edited(before: string, project: Project): Promise<string> {
    const editor = findEditor(editorOf(before))
    const folder = mkdtempSync(join(tmpdir(), 'qanat-config-'))
    const file = join(folder, 'config.yaml')
    writeFileSync(file, before)
    // The text refers to the schema beside it.
    symlinkSync(join(project.root, '.qanat/schemas'), join(folder, 'schemas'))
    await editFile(editor, file)
    if (!existsSync(file)) throw new OperationError('the editor has removed the file', 'nothing was changed; try again')
    const text = readText(file)
    checkConfigText(text, file)
    rmSync(folder, { recursive: true })
    return text
  }
}

/** The editor of settings that may be the very thing that is broken. */
function editorOf(text: string): string | null {
  try {
    return checkConfigText(text, CONFIG_FILE).config.defaultEditor
  } catch {
    return null
  }
}
