import { existsSync, readdirSync } from 'node:fs'
import { podLogs } from '../layout.js'

/** What the pods of a run have printed themselves: their names, and the absolute paths of their logs. */
export function podLogsOf(storagePath: string): { readonly pod: string; readonly path: string }[] {
  const folder = `${storagePath}/${podLogs}`
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  return names.map(name => ({ pod: name.replace(/\.log$/, ''), path: `${folder}/${name}` }))
}
