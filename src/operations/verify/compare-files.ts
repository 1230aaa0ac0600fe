import { join } from 'node:path'
import { compareTexts, type Verdict } from '../../domain/results/reproduced.js'
import { walk } from '../../system/data/walk.js'
import { digestOfFile } from '../../system/digest.js'
import { readRegular } from '../../system/regular-file.js'

/** Larger files are compared as a whole, without tolerance. */
const largestText = 32 * 1024 * 1024

/** Files and folders of a group that Qanat or a person has written. */
const notOutputs = /^(\.run|info\.yaml|group_info\.yaml|comment\.md)(\/|$)/

const noLimits = { until: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }

/**
 * Compares the files in two folders of the same group. The folder itself may be named in them: a script that prints where it
 * stores something prints the same.
 * @param before absolute
 * @param after absolute
 * @param isIgnored says which paths, relative to the folder, are not compared
 */
export async function compareFiles(
  before: string,
  after: string,
  rtol: number,
  isIgnored: (path: string) => boolean,
): Promise<{ name: string; verdict: Verdict }[]> {
  const [old, now] = [before, after].map(folder => {
    const found = walk(folder, noLimits).files.filter(({ path }) => !(notOutputs.test(path) || isIgnored(path)))
    return new Map(found.map(({ path, stats }) => [path, stats.size]))
  })
  const names = [...new Set([...old!.keys(), ...now!.keys()])].sort()
  const compared: { name: string; verdict: Verdict }[] = []
  for (const name of names) {
    const sizes = [old!.get(name), now!.get(name)]
    compared.push({ name, verdict: await verdictOf(name, [before, after], sizes, rtol) })
  }
  return compared
}

async function verdictOf(
  name: string,
  folders: readonly [string, string],
  [size, newSize]: readonly (number | undefined)[],
  rtol: number,
): Promise<Verdict> {
  if (size === undefined) return 'added'
  if (newSize === undefined) return 'missing'
  const [one, other] = [join(folders[0], name), join(folders[1], name)]
  try {
    if (size === newSize && (await digestOfFile(one)) === (await digestOfFile(other))) return 'identical'
  } catch {
    // It was removed meanwhile, or may not be read.
    return 'differs'
  }
  if (Math.max(size, newSize) > largestText) return 'differs'
  const [text, newText] = [readRegular(one), readRegular(other)]
  if (text === null || newText === null || isBinary(text) || isBinary(newText)) return 'differs'
  return compareTexts(text.replaceAll(folders[0], ''), newText.replaceAll(folders[1], ''), rtol)
}

function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\uFFFD')
}
