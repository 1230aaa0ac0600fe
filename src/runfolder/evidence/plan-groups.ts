import { closeSync, existsSync, mkdirSync, readSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { groupFolder } from '../../domain/runs/run-plan.js'
import { takeWord } from '../../domain/text/shell-text.js'

/** Which groups of a plan to run. */
export interface GroupsToRun {
  /** Absolute folder of the run. */
  readonly storagePath: string
  readonly groupCount: number
  /** The plan's lines to run; null for all. */
  readonly indices: readonly number[] | null
}

/** Lines of the plan, each after its index, read as they are needed. */
export function* planGroups(order: GroupsToRun, plan: number): Generator<string | null> {
  const { indices } = order
  const wanted = indices && new Set(indices)
  let index = -1
  for (const line of readLines(plan)) {
    if (index >= 0 && (!wanted || wanted.has(index))) yield openGroup(order, index, line)
    index++
  }
}

/**
 * Makes the folder of a group and its group_info.yaml, which would take a shell several times as long. If that fails, the
 * job script tries again and records that the group cannot start.
 * @returns the line that starts the group; null if the folder of the run is gone with those around it
 */
function openGroup({ storagePath, groupCount }: GroupsToRun, index: number, line: string): string | null {
  const folder = groupFolder(storagePath, groupCount, index)
  const { word, rest } = takeWord(line)
  try {
    if (!makeFolder(folder, dirname(storagePath))) return null
    writeFileSync(`${folder}/group_info.yaml`, word)
    return `${index} '' ${rest}\n`
  } catch {
    return `${index} ${line}\n`
  }
}

/**
 * Makes the folder of a group and, if a script has removed it, that of the run around it.
 * @param parent the folder around that of the run
 * @returns false if that is gone
 */
function makeFolder(folder: string, parent: string): boolean {
  try {
    mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !existsSync(parent)) return false
    if (code !== 'EEXIST') mkdirSync(folder, { recursive: true })
  }
  return true
}

function* readLines(file: number): Generator<string> {
  const chunk = Buffer.alloc(65_536)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (;;) {
    const size = readSync(file, chunk)
    if (size === 0) break
    const lines = (rest + decoder.write(chunk.subarray(0, size))).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  closeSync(file)
}
