import { join } from 'node:path'
import { CONFIG_FILE, checkConfigText, readConfigText, settingsOf } from '../../project/config.js'
import {
  getConfigValue,
  setConfigValue,
  unsetConfigValue,
  valueText,
  writeConfigText,
} from '../../project/config-edit.js'
import type { Project } from '../../project/find-project.js'
import { readText } from '../../project/yaml/yaml-source.js'
import { editCopy, findEditor } from '../../system/editor.js'

// These need no more of a project than its settings, which may be the very thing that is broken.

/** One setting, as data and as it is written. @param key levels separated by dots @throws UserError where it is not set */
export function getSetting(project: Project, key: string): { readonly value: unknown; readonly text: string } {
  const value = getConfigValue(project, key)
  return { value, text: valueText(value) }
}

/** Changes one setting. @param text YAML @throws UserError where the settings would not be valid then */
export function setSetting(project: Project, key: string, text: string): void {
  setConfigValue(project, key, text)
}

/** Takes one setting out of the file, so that its default holds again. @throws UserError where it is not in the file */
export function unsetSetting(project: Project, key: string): void {
  unsetConfigValue(project, key)
}

/** All settings: the text of their file, as data with the defaults, and what to warn about. */
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
 * Replaces the settings by those of a file, or by what the user makes of them in an editor.
 * @param file null for the editor
 * @returns what to warn about of the new ones; null where they are as they were
 * @throws QanatError for settings that are not valid; what was typed stays in the file that it names
 */
export async function editSettings(project: Project, file: string | null): Promise<readonly string[] | null> {
  const before = readConfigText(project.root)
  const text = file === null ? await edited(project, before) : readText(file)
  if (text === before) return null
  const { warnings } = checkConfigText(text, file ?? CONFIG_FILE, project.runners)
  writeConfigText(project.root, text)
  return warnings
}

function edited({ root, runners }: Project, before: string): Promise<string> {
  // The text refers to the schema beside it.
  const copy = { name: 'config.yaml', text: before, links: { schemas: join(root, '.qanat/schemas') } }
  return editCopy(findEditor(editorIn(before)), copy, file => {
    const text = readText(file)
    checkConfigText(text, file, runners)
    return text
  })
}

/** The editor that settings name which may be broken. */
function editorIn(text: string): string | null {
  try {
    return checkConfigText(text, CONFIG_FILE, []).config.defaultEditor
  } catch {
    return null
  }
}
