import { type Git, GitError } from '../git.js'

/** A top-level key of a file of parameters, see `project/parameter-file.ts`. */
const key = `["']?(fixed_args|varying_args)["']?[[:space:]]*:`

/** What else may begin a line: marks of documents, and the ends of mappings and lists. */
const punctuation = '---|\\.\\.\\.|%|[]}]'

/**
 * The files of a commit or a tree that hold nothing but parameters of runs: YAML with no other keys than those of parameter
 * files. They are told by their content, so that the answer does not depend on which of them a run has used.
 * @param paths of the files that matter, relative to the repository's root
 */
export async function parameterFiles(git: Git, object: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (!paths.some(path => /\.ya?ml$/i.test(path))) return new Set()
  const [candidates, others] = await Promise.all([
    filesWith(git, object, ['-e', `^${key}`]),
    filesWith(git, object, ['-e', '^[^[:space:]#]', '--and', '--not', '-e', `^(${key}|${punctuation})`]),
  ])
  return new Set(candidates.filter(path => !others.includes(path)))
}

/** The YAML files of a commit or a tree with a line that fits. @param line as `git grep` takes it */
async function filesWith(git: Git, object: string, line: readonly string[]): Promise<string[]> {
  const options = ['--files-with-matches', '--null', '--full-name', '--no-color', '--extended-regexp']
  const places = ['yaml', 'yml'].map(end => `:(top,icase)*.${end}`)
  try {
    const list = await git.run('-c', 'submodule.recurse=false', 'grep', ...options, ...line, object, '--', ...places)
    return list
      .split('\0')
      .slice(0, -1)
      .map(found => found.slice(object.length + 1))
  } catch (error) {
    // It ends with 1 if no file has such a line.
    if (error instanceof GitError && error.message.endsWith('exit code 1')) return []
    throw error
  }
}
