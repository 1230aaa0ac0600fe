/** What the log of a pod without a volume tells: see runners/pour.sh. */
export interface Poured {
  /** Its records, in order, each with the files of that group. */
  readonly records: readonly { readonly line: string; readonly archive: Archive | null }[]
  /** What the pod has noted itself; null before its end. */
  readonly rest: Archive | null
}

/** Files as they came. */
export interface Archive {
  readonly base64: string
  /** Of its bytes, as it was written. */
  readonly sha256: string
}

/** The word with which the lines of ours begin in the logs of a launch: what else is there is no data. */
export function pouredWord(token: string): string {
  return `qanat:${token}`
}

/** Reads a log. @param text it may end anywhere @returns null if its beginning is not there */
export function readPoured(text: string, word: string): Poured | null {
  const lines = text.split('\n')
  if (lines[0] !== `${word} begin`) return null
  const records: { line: string; archive: Archive | null }[] = []
  let rest: Archive | null = null
  let data: string[] = []
  for (const each of lines) {
    if (!each.startsWith(`${word} `)) {
      data.push(each)
      continue
    }
    const [kind, ...words] = each.slice(word.length + 1).split(' ')
    if (kind === 'start') records.push({ line: words.join(' '), archive: null })
    if (kind === 'end') {
      const [sha256, ...record] = words
      const line = record.join(' ')
      const archive = sha256 === '-' ? null : { base64: data.join(''), sha256: sha256! }
      if (line === '') rest = archive
      else records.push({ line, archive })
    }
    data = []
  }
  return { records, rest }
}

/** The ends of groups in the message with which a pod has ended, which may be cut at its beginning. */
export function endsInMessage(message: string): string[] {
  return message.split('\n').filter(line => line.startsWith('1 end '))
}
