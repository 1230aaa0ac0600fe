import { dirname } from 'node:path'
import { evidence, type FetchRules, largestOfLive } from '../../domain/data/fetch-rules.js'
import { literalExpression, pathExpression } from '../../domain/text/path-patterns.js'
import { quoteWord, quoteWords } from '../../domain/text/shell-text.js'
import type { Change } from '../../system/folders/changes.js'
import type { Entry } from '../../system/folders/entries.js'
import type { EnvironmentChange } from '../../system/programs.js'
import type { ProcessQuery, ProgramQuery } from '../site.js'

// Text of POSIX shell that runs at another machine. Each script stops at the first command that fails, and is a pure function
// of what it is to do. A word with a newline needs the variable QANAT_NEWLINE, which whoever runs a script sets.

/** Exit code of a command that is not there, as shells have it. */
export const missingCode = 127
/** Exit code of `timeout` for a command that took too long. */
export const lateCode = 124

/** Writes files into a folder, as `writeEntries` does on this machine; prints the paths of those that others can read, then the mark. */
export function* filesScript(folder: string, entries: Iterable<Entry>, mark: string): Generator<string> {
  yield `set -eu\nmkdir -p -- ${quoteWord(folder)}\ncd -- ${quoteWord(folder)}\n${openFiles}\n`
  const made = new Set(['.'])
  for (const { path, text, access } of entries) {
    const parent = dirname(path)
    if (!made.has(parent)) yield `mkdir -p -- ${quoteWord(parent)}\n`
    made.add(parent)
    const isOwn = access === 'private' || access === 'secret'
    const name = quoteWord(access === 'secret' ? path : `${path}.${mark}`)
    if (access === 'secret') yield `rm -f -- ${name}\n`
    yield `${isOwn ? '(umask 077; ' : '{ '}cat >${name}${isOwn ? ')' : '; }'} <<'${mark}'\n`
    let end = ''
    for (const piece of text) {
      yield piece
      if (piece !== '') end = piece.slice(-1)
    }
    // A here-document ends with a newline, whether the text does or not.
    yield `${end === '\n' || end === '' ? '' : '\n'}${mark}\n`
    if (end !== '\n' && end !== '') yield `without_newline ${name}\n`
    if (access === 'executable') yield `chmod +x -- ${name}\n`
    if (access !== 'secret') yield `mv -f -- ${name} ${quoteWord(path)}\n`
    if (isOwn) yield `open_for_others ${quoteWord(path)}\n`
  }
  yield `echo ${mark}\n`
}

const openFiles = `open_for_others() { case $(ls -ld -- "$1") in ????------*) ;; *) printf '%s\\n' "$1" ;; esac; }
without_newline() {
  size=$(wc -c <"$1"); dd if="$1" of="$1.cut" bs="$((size - 1))" count=1 2>/dev/null; cat -- "$1.cut" >"$1"; rm -f -- "$1.cut"
}`

/** Makes changes in a folder, as `changeFolder` does on this machine; at the first that fails prints the error's code and path. */
export function changesScript(folder: string, changes: Iterable<Change>): string {
  return `${changing}\ncd -- ${quoteWord(folder)} 2>/dev/null || exit 0\n${Array.from(changes, changeLine).join('\n')}\n`
}

function changeLine(change: Change): string {
  if ('make' in change) return `make ${quoteWord(change.make)}`
  if ('move' in change) return `move ${quoteWord(change.move)} ${quoteWord(change.to)}`
  if ('remove' in change) return `remove ${quoteWord(change.remove)}`
  if ('removeEmpty' in change) return `rmdir -- ${quoteWord(change.removeEmpty)} 2>/dev/null || :`
  return `empty ${quoteWords([change.empty, change.into, ...change.except])}`
}

const changing = `fail() { printf '%s %s\\n' "$1" "$2"; exit 1; }
there() { [ -e "$1" ] || [ -L "$1" ]; }
why() {
  case $1 in *'ermission denied'*) code=EACCES ;; *'ead-only'*) code=EROFS ;; *'o space'*) code=ENOSPC ;; *'uota'*) code=EDQUOT ;; *) code=EIO ;; esac
  fail "$code" "$2"
}
make() { said=$(LC_ALL=C mkdir -p -- "$1" 2>&1) || why "$said" "$1"; }
move() {
  there "$1" || return 0
  make "$(dirname -- "$2")"
  if [ -d "$2" ] && ! [ -L "$2" ]; then rmdir -- "$2" 2>/dev/null || fail ENOTEMPTY "$2"; fi
  said=$(LC_ALL=C mv -f -- "$1" "$2" 2>&1) || why "$said" "$1"
}
remove() { said=$(LC_ALL=C rm -rf -- "$1" 2>&1) || why "$said" "$1"; }
empty() {
  from=$1 into=$2; shift 2
  if [ "$from" != . ] && [ -L "$from" ]; then move "$from" "$into"; return; fi
  for each in "$from"/* "$from"/.[!.]* "$from"/..?*; do
    there "$each" || continue
    for kept; do [ "\${each##*/}" != "$kept" ] || continue 2; done
    move "$each" "$into/\${each##*/}"
  done
}`

/** Runs a program in an environment with changes. It ends the shell that runs it. */
export function programLines(
  command: readonly string[],
  {
    environment,
    cwd,
    timeout,
    hasInput,
  }: { environment?: EnvironmentChange; cwd?: string; timeout?: number; hasInput?: boolean },
): string {
  const limit =
    timeout === undefined
      ? ''
      : `! command -v timeout >/dev/null || set -- timeout -k 10 ${Math.ceil(timeout / 1000)} "$@"\n`
  return `${cwd === undefined ? '' : `cd -- ${quoteWord(cwd)} || exit 126\n`}${environmentLines(environment)}set -- ${quoteWords(command)}
command -v -- "$1" >/dev/null || exit ${missingCode}
${limit}exec "$@"${hasInput ? '' : ' </dev/null'}`
}

function environmentLines({ set = {}, unset = [], keep = [] }: EnvironmentChange = {}): string {
  const [families, names] = [unset.filter(name => name.endsWith('*')), unset.filter(name => !name.endsWith('*'))]
  const kept = keep.map(name => `${name}=`).join('|')
  const lines = [
    ...names.filter(name => !keep.includes(name)).map(name => `unset ${name}`),
    ...families.map(
      family => `for each in $(env | sed -n 's/^\\(${family.slice(0, -1)}[A-Za-z0-9_]*\\)=.*/\\1/p'); do
${kept === '' ? '' : `  case $each= in ${kept}) continue ;; esac\n`}  unset "$each"
done`,
    ),
    ...Object.entries(set).map(([name, value]) => `export ${name}=${quoteWord(value)}`),
  ]
  return lines.map(line => `${line}\n`).join('')
}

/** Runs the programs of queries one after the other, and prints what identifies processes: see `splitReply`. */
export function queriesScript(
  programs: readonly ProgramQuery[],
  processes: readonly ProcessQuery[],
  mark: string,
): string {
  const ended = (key: number, word: string) =>
    `printf '\\n${mark}.${key}.%s\\n' ${word}; printf '\\n${mark}.${key}.%s\\n' ${word} >&2`
  const ofPrograms = programs.map(
    ({ command, options }, key) => `(\n${programLines(command, options)}\n)\n${ended(key, '"$?"')}`,
  )
  const ofProcesses = processes.map(
    ({ process }, at) => `${processLines(process.pid)}\n${ended(programs.length + at, '"$?"')}`,
  )
  return `${[...ofPrograms, ...ofProcesses].join('\n')}\n`
}

/** Prints the line of a process in /proc, and its variable that names a run, if it may be read. */
function processLines(pid: number): string {
  return `cat /proc/${pid}/stat 2>/dev/null; tr '\\0' '\\n' </proc/${pid}/environ 2>/dev/null | grep '^QANAT_STORAGE_PATH='; :`
}

/** Prints what is known of the machine, a fact a line, then the names of programs that are there, then the environment. */
export function probeScript(programs: readonly string[]): string {
  return `${machineScript}
id -un 2>/dev/null || id -u
for name in ${quoteWords(programs)}; do ! command -v -- "$name" >/dev/null || printf '%s\\n' "$name"; done
echo
env -0
`
}

/** Prints what identifies the machine, a line each: its name, its id, that of its boot, and the namespace of processes. */
const machineScript = `hostname
cat /etc/machine-id 2>/dev/null || cat /var/lib/dbus/machine-id 2>/dev/null || echo
cat /proc/sys/kernel/random/boot_id 2>/dev/null || sysctl -n kern.bootsessionuuid
readlink /proc/self/ns/pid || echo`

/** Prints the same, then the clock of the machine, in seconds, and the seconds since its boot. */
export const clockScript = `${machineScript}
date +%s; cut -d ' ' -f 1 /proc/uptime`

/** A folder of a run, relative to the root, and the last mark of it whose files have come here; null if none have. */
export interface Fetched {
  readonly folder: string
  readonly mark: string | null
}

/**
 * Prints an archive (tar, gzip) of the files of folders that are new since their last mark, with paths relative to the root, or
 * nothing if none are, and makes a new mark. The last one stays: should these files not come here, they are new again.
 * @param root folder around them, absolute
 * @param rules which files of groups come; null for all that are not large
 */
export function fetchScript(root: string, folders: readonly Fetched[], mark: string, rules: FetchRules | null): string {
  const calls = folders.map(
    ({ folder, mark: last }) =>
      `list_new ${foldersWords(folder)} ${quoteWord(last ?? '')} ${quoteWords(rulesWords(folder, rules))}`,
  )
  const limit = Math.min(rules?.maxFile ?? largestOfLive, largestOfLive)
  return `cd -- ${quoteWord(root)} 2>/dev/null || exit 0
# By the time of their last change of any kind: files that were moved or copied keep the time of their text.
newer=-newer
if find . -prune -cnewer . >/dev/null 2>&1; then newer=-cnewer; fi
list_new() {
  [ -d "$1/.run" ] || return 0
  touch -- "$1/.run/fetched.${mark}"
  # A file counts as new once more in the next minute: NFS keeps the times of files for so long, and busybox knows no parts of a second.
  touch -d '1 minute ago' -- "$1/.run/fetched.${mark}" 2>/dev/null ||
    touch -d "@$(($(date +%s) - 60))" -- "$1/.run/fetched.${mark}" 2>/dev/null || :
  folder=$1 pattern=$2 last=$1/.run/fetched.$3
  shift 3
  set -- "$folder" -type f ! -path "$pattern/.run/fetched.*" ${withoutSecrets} \
    '(' -size -${Math.ceil(limit / 512) + 1} "$@" -o -path "$pattern/.run/*" ! -path "$pattern/.run/attempts/*" ! -path "$pattern/.run/left_behind/*" ')'
  if [ -e "$last" ]; then set -- "$@" "$newer" "$last"; fi
  find "$@" -print0
  for each in "$folder"/.run/fetched.*; do
    case $each in "$last" | *".${mark}") ;; *) rm -f -- "$each" ;; esac
  done
}
${archive(calls)}`
}

/**
 * Lines that print an archive of the files that other lines list, or nothing if these list none. Files that change while they are
 * read are no failure: they are new at the next call. A list that cannot be written whole is one: what it lacks would never be new again.
 */
function archive(lists: readonly string[]): string {
  return `${archiveFunction}
list=$(mktemp) || exit
{
${lists.join('\n')}
} | cat >"$list" || exit
if [ -s "$list" ]; then { archive || echo failed >"$list.failed"; } | gzip; fi
[ ! -e "$list.failed" ]
code=$?
rm -f -- "$list" "$list.failed"
[ "$code" = 0 ]
`
}

/** Prints an archive of the files of a list, with a zero after each: FILE in `$list`. Files that are gone by now are left out. */
export const archiveFunction = `archive() {
  if tar -cf /dev/null --hard-dereference --null -T /dev/null 2>/dev/null; then
    tar -cf - --hard-dereference --null -T "$list" 2>/dev/null || [ $? = 1 ]
    return
  fi
  # The tar of busybox reads no list: many archives become one without the blocks that end each.
  xargs -0 -n 500 sh -c 'tar -cf - -- "$@" 2>/dev/null | head -c -1024' sh <"$list"
  head -c 1024 /dev/zero
}`

/** What find leaves out: the secrets of each attempt, which are nowhere else. `$pattern` is the folder as a pattern. */
const withoutSecrets = '! -path "$pattern/.run/secrets" ! -path "$pattern/.run/*/secrets"'

/** Words of find for the files in the folder of a run that rules want. Those of `.run` have rules of their own. */
function rulesWords(folder: string, rules: FetchRules | null): string[] {
  if (rules === null || rules.include.length + rules.exclude.length === 0) return []
  const start = `\\./${literalExpression(folder)}/(group_[0-9]+/)?`
  const anyOf = (patterns: readonly string[]) => {
    const words = patterns.flatMap(pattern => ['-o', '-regex', start + pathExpression(pattern)])
    return ['(', ...words.slice(1), ')']
  }
  const [wanted, unwanted] = [rules.include, rules.exclude].map(each => (each.length > 0 ? anyOf(each) : []))
  const chosen = [...wanted!, ...(unwanted!.length > 0 ? ['!', ...unwanted!] : [])]
  return ['-regextype', 'posix-extended', '(', ...anyOf(evidence), '-o', ...chosen, ')']
}

/** A folder, and the pattern of find that fits only it, as words of a shell. */
function foldersWords(folder: string): string {
  const path = `./${folder}`
  return quoteWords([path, path.replace(/[\\*?[]/g, '\\$&')])
}
