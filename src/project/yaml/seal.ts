import { createHash } from 'node:crypto'

/** A text with one more line, a digest of the others, by which edits are noticed. @param before the digest in that line */
export function sealed(text: string, before: 'seal: ' | '# Written by qanat export, seal: '): string {
  return `${text}${before}${sealOf(text)}\n`
}

/** Whether somebody has edited a sealed text, or written one without a seal. */
export function isEdited(text: string): boolean {
  const lines = text.trimEnd().split(/\r?\n/)
  // Lines may have been added below it.
  const at = lines.findLastIndex(line => /^(# .*)?seal: \w+$/.test(line))
  const [line] = at === -1 ? [] : lines.splice(at, 1)
  return !line?.endsWith(sealOf(`${lines.join('\n')}\n`))
}

function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
