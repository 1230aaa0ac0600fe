import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OperationError } from '../errors.js'
import { inTemporaryFolder } from '../system/temporary-folder.js'
import { dataAreElsewhere, filteredFiles, isPointer } from './frozen/filtered-files.js'
import { type Git, gitEnvironment, openGit } from './git.js'
import { submodulesOf, type TreeState } from './tree-state.js'

/** Code as one commit of one repository. */
export interface WholeCode {
  /** The repository, absolute, for `--git-dir`. */
  readonly repository: string
  readonly commit: string
}

/** A file of a tree of git. */
interface Entry {
  /** Relative to the outermost repository. */
  readonly path: string
  readonly mode: string
  readonly blob: string
}

/**
 * The whole code of a commit: submodules are folders of it, and files that a filter writes, such as those of Git LFS, have their
 * data. It is a commit of a repository of ours, which finds all other objects where they are. The same code gives the same commit.
 * @param cache folder for that repository, absolute
 * @throws OperationError if data, or the commit of a submodule, are not here
 */
export async function wholeCommit(state: TreeState, recorded: string, cache: string): Promise<WholeCode> {
  const { gitRoot } = state
  const repository = await ownRepository(gitRoot, cache)
  return inTemporaryFolder(async temporary => {
    const empty = join(temporary, 'empty')
    mkdirSync(empty)
    const whole = openIn(repository, empty)
    const index = join(temporary, 'index')
    await whole.runWithIndex(index, 'read-tree', recorded)
    const stores: string[] = []
    const files: Entry[] = []
    const add = async (source: string, commit: string, prefix: string) => {
      stores.push(await storeOf(source))
      writeStores(repository, stores)
      if (prefix !== '') {
        await whole.runWithIndex(index, 'update-index', '--force-remove', '--', prefix.slice(0, -1))
        await whole.runWithIndex(index, 'read-tree', `--prefix=${prefix}`, commit)
      }
      files.push(...(await filled(source, commit, { prefix, repository, temporary, empty })))
      for (const { path, commit: inside } of await submodulesOf(source, commit)) {
        const nested = join(source, path)
        // As in a frozen copy here, one that is not initialised stays empty.
        if (!existsSync(join(nested, '.git'))) continue
        if (!(await hasObject(nested, inside)))
          throw new OperationError(
            `submodule ${prefix}${path} has no commit ${inside} here`,
            'git submodule update --init --recursive',
          )
        await add(nested, inside, `${prefix}${path}/`)
      }
    }
    await add(gitRoot, recorded, '')
    const lines = files.map(({ path, mode, blob }) => `${mode} ${blob}\t${path}\0`)
    if (lines.length > 0) await feed(repository, lines.join(''), ['update-index', '-z', '--index-info'], index)
    const tree = (await whole.runWithIndex(index, 'write-tree')).trim()
    const isWhole = tree === (await whole.run('rev-parse', `${recorded}^{tree}`)).trim()
    return { repository, commit: isWhole ? recorded : await commitOf(repository, tree, recorded) }
  })
}

/** The files of a commit that a filter writes, with their data as blobs of our repository. */
async function filled(
  source: string,
  commit: string,
  { prefix, repository, temporary, empty }: Record<'prefix' | 'repository' | 'temporary' | 'empty', string>,
): Promise<Entry[]> {
  const git = openGit(source)
  const own = (await git.run('rev-parse', '--absolute-git-dir')).replace(/\n$/, '')
  const index = join(temporary, 'index_of_source')
  // Attributes are those of the commit: there are no files whose attributes would come first.
  const ofCommit = openIn(own, empty)
  await ofCommit.runWithIndex(index, 'read-tree', commit)
  const run = (...words: string[]) => ofCommit.runWithIndex(index, ...words)
  const wanted = await filteredFiles({ run, runWithIndex: ofCommit.runWithIndex })
  if (wanted.size === 0) return []
  const [present, edited] = await Promise.all([filteredFiles(git), git.run('diff-files', '--name-only', '-z')])
  for (const path of edited.split('\0')) present.delete(path)
  const entries: Entry[] = []
  for (const [path, { blob, mode }] of wanted) {
    const file = join(source, path)
    const isInTree = present.get(path)?.blob === blob && !isPointer(file)
    const words = isInTree ? ['tree', file] : ['commit', path]
    const data = (await sh(takingData, [source, repository, blob, ...words])).trim()
    if (data === blob) {
      const pointer = join(temporary, 'pointer')
      await sh('git -C "$1" cat-file blob "$2" >"$3"', [source, blob, pointer])
      if (isPointer(pointer)) throw dataAreElsewhere(pointer, [`${prefix}${path}`])
    }
    entries.push({ path: `${prefix}${path}`, mode, blob: data })
  }
  return entries
}

/** Prints the name of a blob with the data of a file: as it is in the tree, or as the filter makes it. */
const takingData = `set -e
source=$1 repository=$2 blob=$3 from=$4 path=$5
store() { git -c safe.bareRepository=explicit --git-dir="$repository" hash-object -w --no-filters --stdin; }
case $from in
  tree) store <"$path" ;;
  *)
    case $(git -C "$source" cat-file blob "$blob" | head -c 42 | tr -d '\\0') in
      'version https://git-lfs.github.com/spec/v1') git -C "$source" cat-file blob "$blob" | GIT_LFS_SKIP_SMUDGE=0 git -C "$source" lfs smudge -- "$path" 2>/dev/null ;;
      *) git -C "$source" cat-file --filters --path="$path" "$blob" ;;
    esac | store ;;
esac`

/** Git in a repository, with a folder as its work tree. */
function openIn(repository: string, folder: string): Git {
  const git = openGit(folder)
  const place = [`--git-dir=${repository}`, `--work-tree=${folder}`]
  return {
    run: (...words) => git.run(...place, ...words),
    runWithIndex: (index, ...words) => git.runWithIndex(index, ...place, ...words),
  }
}

/** Our repository, which has no objects but those of whole commits. */
export async function ownRepository(gitRoot: string, cache: string): Promise<string> {
  const repository = join(cache, 'whole.git')
  const git = openGit(gitRoot)
  if (!existsSync(join(repository, 'HEAD'))) {
    const format = (await git.run('rev-parse', '--show-object-format').catch(() => 'sha1')).trim()
    const words = format === 'sha1' ? [] : [`--object-format=${format}`]
    await git.run('init', '--quiet', '--bare', '--template=', ...words, repository)
    mkdirSync(join(repository, 'info'), { recursive: true })
    // An archive is to have all files of the code.
    writeFileSync(join(repository, 'info/attributes'), '* -export-ignore -export-subst\n')
  }
  writeStores(repository, [await storeOf(gitRoot)])
  return repository
}

/** Lets a repository find objects in other folders. See gitrepository-layout(5). */
function writeStores(repository: string, stores: readonly string[]): void {
  const lines = stores.map(store => (/^["#]|\n/.test(store) ? JSON.stringify(store) : store))
  writeFileSync(join(repository, 'objects/info/alternates'), `${lines.join('\n')}\n`)
}

async function storeOf(source: string): Promise<string> {
  return resolve(source, (await openGit(source).run('rev-parse', '--git-path', 'objects')).replace(/\n$/, ''))
}

function hasObject(source: string, commit: string): Promise<boolean> {
  return openGit(source)
    .run('cat-file', '-e', `${commit}^{commit}`)
    .then(
      () => true,
      () => false,
    )
}

/** A commit without a history, the same for the same tree and the same recorded commit. */
async function commitOf(repository: string, tree: string, recorded: string): Promise<string> {
  const text = `tree ${tree}\nauthor qanat <qanat@localhost> 0 +0000\ncommitter qanat <qanat@localhost> 0 +0000\n\nThe whole code of ${recorded}\n`
  return (await feed(repository, text, ['hash-object', '-w', '-t', 'commit', '--stdin'])).trim()
}

function feed(repository: string, input: string, words: readonly string[], index?: string): Promise<string> {
  return output('git', ['-c', 'safe.bareRepository=explicit', `--git-dir=${repository}`, ...words], input, index)
}

function sh(script: string, words: readonly string[]): Promise<string> {
  return output('sh', ['-c', script, 'sh', ...words], '')
}

async function output(program: string, words: readonly string[], input: string, index?: string): Promise<string> {
  const env = { ...gitEnvironment(), ...(index !== undefined && { GIT_INDEX_FILE: index }) }
  const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const [said, complained]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => complained.push(chunk))
  child.stdin.on('error', () => {})
  const end = new Promise<number | null>((done, fail) => child.on('close', done).on('error', fail))
  child.stdin.end(input)
  const code = await end
  if (code === 0) return Buffer.concat(said).toString('utf8')
  const reason = Buffer.concat(complained).toString('utf8').trim().split('\n').at(-1) || `exit ${code}`
  throw new OperationError(
    `the whole code could not be put together: ${reason}`,
    'git status        looks at the repository',
  )
}
