import { QanatError } from '../../errors.js'
import { parseRecordedTemplate } from '../../project/templates/templates.js'
import { secretsFile } from '../../runfolder/layout.js'
import { filesWith, placesIn } from '../../runfolder/secrets/search.js'
import { readSecrets } from '../secrets/read-secrets.js'
import { absolutePath, storedPath, type Workspace } from '../workspace.js'
import type { Finding } from './finding.js'

/** A shorter value, in characters, would be found in many places where it means something else. */
const shortest = 6

/**
 * Searches for the values of secrets, as they are now, in the folders of the runs that had them, and in the database. A
 * value that has changed since cannot be found any more. No value is ever in a finding.
 */
export async function leakFindings(workspace: Workspace): Promise<Finding[]> {
  const { store } = workspace
  const findings: Finding[] = []
  const values = new Map<string, string | null>()
  const leaks: Finding[] = []
  let searched = 0
  for (const run of store.runs.list()) {
    const { attempts } = store.runs.submission(run.id)
    const texts = new Map<string, string>()
    for (const { submitTemplate, resolved } of attempts) {
      const name = submitTemplate ?? 'default'
      const { secrets } = parseRecordedTemplate({ submitTemplate, resolved }).environment
      for (const [secret, command] of Object.entries(secrets)) {
        const key = JSON.stringify([secret, command])
        if (!values.has(key)) {
          const read = await currentValue(workspace, name, secret, command)
          values.set(key, typeof read === 'string' ? read : null)
          if (typeof read !== 'string') findings.push(read)
        }
        const value = values.get(key)
        if (value) texts.set(value, secret)
      }
    }
    if (texts.size === 0) continue
    searched++
    const named = textsOf(texts)
    const folder = absolutePath(workspace, run.storagePath)
    // A live run has its secrets there.
    const own = attempts.map(({ attempt }) => secretsFile(attempt))
    for (const { path, line, text } of filesWith(folder, named.map(textIn))) {
      if (!own.includes(path)) leaks.push(leak(named[text]!.secret, `${run.storagePath}/${path}:${line}`))
    }
  }
  const all = textsOf(new Map([...values].flatMap(([key, value]) => (value ? [[value, JSON.parse(key)[0]]] : []))))
  // SQLite keeps what is not in the database yet, or no longer, in files beside it.
  for (const end of ['', '-wal', '-journal']) {
    const file = `${workspace.project.databaseFile}${end}`
    for (const { text } of placesIn(file, all.map(textIn))) {
      leaks.push(leak(all[text]!.secret, storedPath(workspace, file)))
    }
  }
  if (leaks.length > 0 || (all.length === 0 && findings.length > 0)) return [...findings, ...leaks]
  const text =
    searched === 0
      ? 'no run was launched with a template that names secrets'
      : `none of the known values is in the files of ${searched} run${searched === 1 ? '' : 's'}`
  return [...findings, { name: 'secrets', state: 'ok', text }]
}

function textIn({ text }: { readonly text: string }): string {
  return text
}

function leak(secret: string, place: string): Finding {
  return {
    name: 'secrets',
    state: 'error',
    text: `the value of ${secret} is in ${place}`,
    hint: 'take it out of that file, and replace the secret by a new one: it may have been read',
  }
}

/** The value, or why it cannot be searched for. */
async function currentValue(
  workspace: Workspace,
  template: string,
  secret: string,
  command: readonly string[] | null,
): Promise<string | Finding> {
  const unknown = (text: string, hint: string | null = null): Finding => ({
    name: 'secrets',
    state: 'warning',
    text: `${secret} cannot be searched for: ${text}`,
    hint,
  })
  try {
    const value = (await readSecrets(workspace, template, { secrets: { [secret]: command } })).get(secret)!
    return value.length < shortest ? unknown(`it has less than ${shortest} characters`) : value
  } catch (error) {
    if (error instanceof QanatError) return unknown(error.message, error.hint)
    throw error
  }
}

/** Texts to search for: a value over several lines is another one in JSON. */
function textsOf(values: ReadonlyMap<string, string>): { text: string; secret: string }[] {
  return [...values].flatMap(([value, secret]) => {
    const escaped = JSON.stringify(value).slice(1, -1)
    return [{ text: value, secret }, ...(escaped === value ? [] : [{ text: escaped, secret }])]
  })
}
