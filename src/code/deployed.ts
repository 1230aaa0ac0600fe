import { spawn } from 'node:child_process'
import { adviceForRoom } from '../domain/full-disk.js'
import { OperationError } from '../errors.js'
import type { Site } from '../sites/site.js'
import { filteredInTree } from './frozen/filtered-files.js'
import { gitEnvironment } from './git.js'
import type { RunCode } from './run-code.js'
import { submodulesOf } from './tree-state.js'
import { ownRepository, wholeCommit } from './whole-commit.js'

/** Where code goes on another machine: paths as they are there. */
export interface DeployedPlace {
  /** The folder of this clone. */
  readonly root: string
  /** The frozen copy, in it. */
  readonly copy: string
  /** What the folder of this clone says whose it is. */
  readonly owner: string
  /** The folder here for repositories of ours, absolute. */
  readonly cache: string
}

/** How long git may take there, in milliseconds. */
const patience = 600_000

/** Options of git with which it runs nothing of what a user or a site has set up. Files of Git LFS have their data already. */
const plainly = `plainly='-c core.hooksPath=/dev/null -c filter.lfs.process= -c filter.lfs.smudge= -c filter.lfs.clean= -c filter.lfs.required=false'
`

const prepareFolder = `set -eu
${plainly}root=$1 copy=$2 owner=$3 tree=$4 format=$5
umask 077
mkdir -p -- "$root/.qanat/cache"
if ! (set -C; printf '%s' "$owner" >"$root/.qanat/owner") 2>/dev/null; then
  # Another clone may be writing it now. If there was no space, it stays empty, and cat says so better than some shells.
  [ -s "$root/.qanat/owner" ] || sleep 1
  [ -s "$root/.qanat/owner" ] || printf '%s' "$owner" | cat >"$root/.qanat/owner"
  [ "$(cat -- "$root/.qanat/owner")" = "$owner" ] || { echo foreign; exit 0; }
fi
repository=$root/.qanat/code.git
version=$(git version 2>/dev/null | sed 's/^git version //')
case $version in
  ''|1.*|2.[0-9].*|2.1[0-6].*)
    if [ -d "$copy" ] && [ "$(cat -- "$copy.code" 2>/dev/null)" = "$tree" ]; then echo complete; else echo archive; fi
    exit 0 ;;
esac
if [ -e "$copy/.git" ] && [ "$(git -C "$copy" rev-parse 'HEAD^{tree}')" = "$tree" ]; then
  git -C "$copy" $plainly checkout --quiet --force HEAD -- .
  echo complete
  exit 0
fi
if ! [ -e "$repository/HEAD" ]; then
  case $format in sha1) git init --quiet --bare --template= "$repository" ;; *) git init --quiet --bare --template= --object-format="$format" "$repository" ;; esac
fi
echo repository
git --git-dir="$repository" for-each-ref --format='%(objectname)' refs/qanat
`

const takePack = `set -eu
root=$1 copy=$2 commit=$3
repository=$root/.qanat/code.git
git --git-dir="$repository" index-pack --stdin --fix-thin >/dev/null
git --git-dir="$repository" update-ref "refs/qanat/$commit" "$commit"
`

const checkOut = `set -eu
${plainly}root=$1 copy=$2 commit=$3
# What is known of a copy that was purged would be in the way.
rm -f -- "$copy.prepared"
if [ -e "$copy/.git" ]; then
  git -C "$copy" $plainly checkout --quiet --force --detach "$commit"
else
  git --git-dir="$root/.qanat/code.git" worktree remove --force --force "$copy" 2>/dev/null || :
  git --git-dir="$root/.qanat/code.git" $plainly worktree add --quiet --detach --lock --force "$copy" "$commit"
fi
`

const takeArchive = `set -eu
copy=$2 tree=$4
rm -f -- "$copy.prepared" "$copy.code"
if [ -d "$copy" ]; then
  tar -xf - -C "$copy"
else
  # One that was cut off may have left a folder.
  mkdir -- "$copy.$$"
  tar -xf - -C "$copy.$$"
  mv -- "$copy.$$" "$copy"
fi
printf '%s' "$tree" >"$copy.code"
`

/**
 * Brings code to another machine: into a repository of ours there, and from it into a locked worktree; without a git that can,
 * as an archive. What is there already is not sent again, and files of the copy that are gone or changed are restored.
 * @throws OperationError if the folder there belongs to another clone, or with the reason of git there
 */
export async function deployCode(site: Site, place: DeployedPlace, code: RunCode): Promise<void> {
  const { root, copy, owner, cache } = place
  const { git, gitRoot } = code.state
  const format = (await git.run('rev-parse', '--show-object-format').catch(() => 'sha1')).trim()
  const { commit, repository } = await codeOf(code, cache)
  const from = repository === null ? ['-C', gitRoot] : [`--git-dir=${repository}`]
  const tree = (await git.run(...from, 'rev-parse', `${commit}^{tree}`)).trim()
  const first = await run(site, prepareFolder, [root, copy, owner, tree, format])
  const [how, ...there] = first.split('\n').filter(line => line !== '')
  if (how === 'foreign') {
    throw new OperationError(
      `the folder ${root} on ${site.name} belongs to another clone of this project`,
      'give this clone another root: qanat context show',
    )
  }
  if (how === 'complete') return
  const words = [root, copy, commit, tree]
  if (how === 'archive') {
    // The attributes of ours leave out no files.
    const own = repository ?? (await ownRepository(gitRoot, cache))
    await run(site, takeArchive, words, stream([`--git-dir=${own}`], ['archive', '--format=tar', commit]))
    return
  }
  if (there.includes(commit)) return void (await run(site, checkOut, words))
  const known = await knownHere(from, there)
  const wanted = [commit, ...known.map(id => `^${id}`)].join('\n')
  const pack = stream(from, ['pack-objects', '--revs', '--thin', '--stdout', '-q'], `${wanted}\n`)
  await run(site, takePack + checkOut.replace('set -eu\n', ''), words, pack)
}

/**
 * The commit to bring there, and the repository of ours that has it; null if it is that of the project. Git alone has all of
 * most code.
 */
async function codeOf({ state, commit, patch }: RunCode, cache: string) {
  const recorded = patch?.commit ?? commit
  const [submodules, filtered] = await Promise.all([submodulesOf(state.gitRoot, recorded), filteredInTree(state)])
  const mayHave = submodules.length > 0 || filtered.length > 0 || (commit !== state.head && state.hasAttributes)
  const whole = mayHave ? await wholeCommit(state, recorded, cache) : null
  return whole === null || whole.commit === recorded ? { commit: recorded, repository: null } : whole
}

async function run(
  site: Site,
  script: string,
  words: readonly string[],
  input?: AsyncIterable<Uint8Array>,
): Promise<string> {
  const command = ['sh', '-c', script, 'sh', ...words]
  const { stdout, stderr, exitCode } = await site.run(command, { timeout: patience, ...(input && { input }) })
  if (exitCode === 0) return stdout
  const reason = stderr.trim().split('\n').at(-1) ?? ''
  throw new OperationError(
    `the code could not be brought to ${site.name}: ${reason || `exit ${exitCode}`}`,
    adviceForRoom(reason) ?? 'try again',
  )
}

/** Those of the commits that this repository has. */
async function knownHere(from: readonly string[], commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return []
  let text = ''
  for await (const chunk of stream(from, ['cat-file', '--batch-check'], `${commits.join('\n')}\n`)) text += chunk
  return text.split('\n').flatMap(line => (/^(\S+) commit /.test(line) ? [line.split(' ', 1)[0]!] : []))
}

/** The output of git, as it comes. @param from which repository @throws OperationError if it fails */
async function* stream(from: readonly string[], words: readonly string[], input = ''): AsyncGenerator<Uint8Array> {
  const child = spawn('git', ['-c', 'safe.bareRepository=explicit', ...from, ...words], {
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const end = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  yield* child.stdout
  const code = await end
  if (code !== 0)
    throw new OperationError(`git ${words[0]} failed (exit ${code})`, 'git fsck        looks at the repository')
}
