import { UserError } from '../../errors.js'
import { CONFIG_FILE, checkConfigText, readConfigText, settingsOf } from '../../project/config.js'
import {
  editConfigCopy,
  getConfigValue,
  setConfigValue,
  unsetConfigValue,
  valueText,
  writeConfigText,
} from '../../project/config-edit.js'
import type { Project } from '../../project/find-project.js'
import { renewSchemas } from '../../project/yaml/schemas.js'
import { readText } from '../../project/yaml/yaml-source.js'
import { withProjectLock } from '../../store/locks/project-lock.js'

// These operations open only the settings of a project, so that broken settings can be repaired with them.

/** One setting, as data and as written. @param key with dots between levels @throws UserError if it is not set */
export function getSetting(project: Project, key: string): { readonly value: unknown; readonly text: string } {
  const value = getConfigValue(project, key)
  return { value, text: valueText(value) }
}

/** Changes one setting. @param text YAML @throws UserError if the settings would not be valid */
export function setSetting(project: Project, key: string, text: string): Promise<void> {
  return alone(project, () => setConfigValue(project, key, text))
}

/** Removes one setting from the file, so that its default applies again. @throws UserError if it is not in the file */
export function unsetSetting(project: Project, key: string): Promise<void> {
  return alone(project, () => unsetConfigValue(project, key))
}

/** Changes the settings while no other command does. */
function alone(project: Project, change: () => void): Promise<void> {
  return withProjectLock(project, 'config', async () => change())
}

/** All settings: the text of their file, the data with defaults, and warnings. */
export function readSettings(project: Project): {
  readonly text: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
} {
  const text = readConfigText(project.root)
  const settings = settingsOf(text, project.runners)
  return { text, settings, warnings: checkConfigText(text, CONFIG_FILE, project.runners).warnings }
}

/**
 * Replaces the settings by those of a file, or lets the user edit them.
 * @param file null for the editor
 * @param agree is asked about those of a file, with the texts before and after
 * @returns warnings about the new settings; null if nothing has changed
 * @throws QanatError for settings that are not valid; it names the file that keeps the edited text
 */
export async function editSettings(
  project: Project,
  file: string | null,
  agree: (before: string, after: string) => Promise<boolean>,
): Promise<readonly string[] | null> {
  const before = readConfigText(project.root)
  const replace = async (file: string, hint: string, isAgreed: (text: string) => Promise<boolean>) => {
    const text = readText(file)
    if (text === before) return null
    const { warnings } = checkConfigText(text, file, project.runners)
    if (!(await isAgreed(text))) return null
    await alone(project, () => {
      if (readConfigText(project.root) !== before)
        throw new UserError(`another command has changed ${CONFIG_FILE} meanwhile`, hint)
      writeConfigText(project.root, text)
    })
    return warnings
  }
  if (file !== null) return replace(file, 'try again', text => agree(before, text))
  renewSchemas(project.root)
  return editConfigCopy(project, before, configuredEditor(project), path =>
    replace(path, `your text is in ${path}`, async () => true),
  )
}

/** The editor named by the settings of a project, which may be broken. */
export function configuredEditor({ root }: Pick<Project, 'root'>): string | null {
  try {
    return checkConfigText(readConfigText(root), CONFIG_FILE, []).config.defaultEditor
  } catch {
    return null
  }
}
