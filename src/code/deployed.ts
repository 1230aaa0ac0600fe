import { spawn } from 'node:child_process'
import { OperationError } from '../errors.js'
import type { Site } from '../sites/site.js'
import { gitEnvironment } from './git.js'
import type { RunCode } from './run-code.js'

/** Where code goes on another machine: paths as they are there. */
export interface DeployedPlace {
  /** The folder of this clone. */
  readonly root: string
  /** The frozen copy, in it. */
  readonly copy: string
  /** What the folder of this clone says whose it is. */
  readonly owner: string
}

/** How long git may take there, in milliseconds. */
const patience = 600_000

const prepareFolder = `set -eu
root=$1 copy=$2 owner=$3 commit=$4 format=$5
umask 077
mkdir -p -- "$root/.qanat/cache"
if ! (set -C; printf '%s' "$owner" >"$root/.qanat/owner") 2>/dev/null; then
  [ "$(cat -- "$root/.qanat/owner")" = "$owner" ] || { echo foreign; exit 0; }
fi
repository=$root/.qanat/code.git
version=$(git version 2>/dev/null | sed 's/^git version //')
case $version in ''|1.*|2.[0-9].*|2.1[0-6].*) if [ -e "$copy" ]; then echo complete; else echo archive; fi; exit 0 ;; esac
if [ -e "$copy/.git" ]; then
  git -C "$copy" -c core.hooksPath=/dev/null checkout --quiet --force HEAD -- .
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
root=$1 copy=$2 commit=$3
# What is known of a copy that was purged would be in the way.
rm -f -- "$copy.prepared"
git --git-dir="$root/.qanat/code.git" worktree remove --force --force "$copy" 2>/dev/null || :
git --git-dir="$root/.qanat/code.git" -c core.hooksPath=/dev/null worktree add --quiet --detach --lock --force "$copy" "$commit"
`

const takeArchive = `set -eu
copy=$2
# One that was cut off may have left a folder.
rm -f -- "$copy.prepared"
mkdir -- "$copy.$$"
tar -xf - -C "$copy.$$"
mv -- "$copy.$$" "$copy"
`

/**
 * Brings code to another machine: into a repository of ours there, and from it into a locked worktree; without a git that can,
 * as an archive. What is there already is not sent again, and files of the copy that are gone or changed are restored.
 * @throws OperationError if the folder there belongs to another clone, or with the reason of git there
 */
export async function deployCode(site: Site, place: DeployedPlace, { state, commit, patch }: RunCode): Promise<void> {
  const { root, copy, owner } = place
  const recorded = patch?.commit ?? commit
  const { git, gitRoot } = state
  const format = (await git.run('rev-parse', '--show-object-format').catch(() => 'sha1')).trim()
  const first = await run(site, prepareFolder, [root, copy, owner, recorded, format])
  const [how, ...there] = first.split('\n').filter(line => line !== '')
  if (how === 'foreign') {
    throw new OperationError(
      `the folder ${root} on ${site.name} belongs to another clone of this project`,
      'give this clone another root: qanat context show',
    )
  }
  if (how === 'complete') return
  const words = [root, copy, recorded]
  if (how === 'archive') {
    await run(site, takeArchive, words, stream(gitRoot, ['archive', '--format=tar', recorded]))
    return
  }
  if (there.includes(recorded)) return void (await run(site, checkOut, words))
  const known = await knownHere(gitRoot, there)
  const wanted = [recorded, ...known.map(id => `^${id}`)].join('\n')
  const pack = stream(gitRoot, ['pack-objects', '--revs', '--thin', '--stdout', '-q'], `${wanted}\n`)
  await run(site, takePack + checkOut.replace('set -eu\n', ''), words, pack)
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
    'try again',
  )
}

/** Those of the commits that this repository has. */
async function knownHere(gitRoot: string, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return []
  let text = ''
  for await (const chunk of stream(gitRoot, ['cat-file', '--batch-check'], `${commits.join('\n')}\n`)) text += chunk
  return text.split('\n').flatMap(line => (/^(\S+) commit /.test(line) ? [line.split(' ', 1)[0]!] : []))
}

/** The output of git, as it comes. @throws OperationError if it fails */
async function* stream(gitRoot: string, words: readonly string[], input = ''): AsyncGenerator<Uint8Array> {
  const child = spawn('git', ['-C', gitRoot, ...words], { env: gitEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] })
  const end = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  yield* child.stdout
  const code = await end
  if (code !== 0)
    throw new OperationError(`git ${words[0]} failed (exit ${code})`, 'git fsck        looks at the repository')
}
