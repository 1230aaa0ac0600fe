import type { Experiment } from './experiment.js'
import { splitWords } from './text/words.js'

type Script = Pick<Experiment, 'executable' | 'executableCommand'>

/**
 * Whether an executable is the name of a Python module, since the command before it ends in `-m`: `python3 -u -m`, `uv run python -m`,
 * `torchrun -m`. In a shell the same option means something else.
 */
export function isModule({ executableCommand }: Script): boolean {
  const words = splitWords(executableCommand)
  return words.at(-1) === '-m' && !words.some(word => /(^|\/)(ba|da|z|k)?sh$/.test(word))
}

/**
 * The files that an executable may be, relative to the project, the likeliest first. A module is looked for at the root of the
 * project, in `src` and in the folder of the experiment's code; a package and a folder are run by their `__main__.py`.
 * @param path the folder of the code, or empty
 */
export function scriptPlaces(script: Script, path = ''): string[] {
  const { executable, executableCommand } = script
  if (!isModule(script)) return executableCommand === '' ? [executable] : [executable, `${executable}/__main__.py`]
  const module = executable.replaceAll('.', '/')
  const folders = [...new Set(['', 'src', path])]
  return folders.flatMap(folder => {
    const place = folder === '' ? module : `${folder}/${module}`
    return [`${place}.py`, `${place}/__main__.py`]
  })
}
