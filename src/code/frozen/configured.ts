import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What CMake writes when it configures a build: it names the sources and the folder of the build by absolute paths. */
const configuration =
  /^(CMakeCache\.txt|CMakeFiles|cmake_install\.cmake|CTestTestfile\.cmake|Makefile|build(-\w+)?\.ninja|rules\.ninja|\.ninja_(log|deps))$/

/** Whether an ignored file or folder is the configuration of a CMake build in the folder with the sources. */
export function isConfiguration(path: string): boolean {
  return configuration.test(basename(path)) && existsSync(join(dirname(path), 'CMakeCache.txt'))
}

/**
 * Removes the configuration of CMake from a clone of a build: with it, ninja and make would compile the sources of the
 * tree, and make would write there. What was built stays.
 * @param folder absolute
 * @param isBuild whether a folder around it has such a configuration
 * @returns whether there was any
 */
export function dropConfiguration(folder: string, isBuild = false): boolean {
  const entries = readdirSync(folder, { withFileTypes: true })
  const isInBuild = isBuild || entries.some(({ name }) => name === 'CMakeCache.txt')
  const dropped = entries.filter(({ name }) => isInBuild && configuration.test(name))
  for (const { name } of dropped) rmSync(join(folder, name), { recursive: true })
  // FetchContent puts sources there, which may have a Makefile.
  const others = entries.filter(
    entry => entry.isDirectory() && !entry.name.endsWith('-src') && !dropped.includes(entry),
  )
  const inside = others.map(({ name }) => dropConfiguration(join(folder, name), isInBuild))
  return dropped.length > 0 || inside.includes(true)
}

/**
 * Whether ninja would first let Meson configure a build again. In a clone, Meson would do so for the sources of the tree.
 * @param folder absolute
 */
export function isMesonStale(folder: string): boolean {
  try {
    const { mtimeMs } = statSync(join(folder, 'build.ninja'))
    const files: string[] = JSON.parse(readFileSync(join(folder, 'meson-info/intro-buildsystem_files.json'), 'utf8'))
    return files.some(file => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > mtimeMs)
  } catch {
    // It is no build of Meson.
    return false
  }
}
