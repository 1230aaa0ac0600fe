import { nearest, shortened } from '../domain/text/names.js'
import { displayCommand } from '../domain/text/shell-text.js'
import { UserError } from '../errors.js'

/** What deletes is never proposed: who wants it knows its name. */
const deletes = /(^| )(run_delete|delete|delete_dependency|empty|clean|unset)$/

/** The error about a line that begins with no command, with the line that was probably meant. */
export function unknownCommand(
  words: readonly string[],
  known: { readonly commands: readonly string[]; readonly topics: readonly string[] },
): UserError {
  const [first = '', second = ''] = words
  const proposed = known.commands.filter(name => !deletes.test(name))
  // What a topic does alone is not meant by a line with further words.
  const single = proposed.filter(name => !name.includes(' ') && !known.topics.includes(name))
  const below = (topic: string | null) => {
    const start = `${topic} `
    const own = proposed.flatMap(name => (name.startsWith(start) ? name.slice(start.length) : []))
    const meant = own.includes(second) ? second : nearest(second, own)
    return topic === null || meant === null ? null : { meant: `${start}${meant}`, rest: words.slice(2) }
  }
  const alone = () => {
    const ofRuns = `run_${first}`
    const meant = single.includes(ofRuns) ? ofRuns : nearest(first, single)
    return meant === null ? null : { meant, rest: words.slice(1) }
  }
  const later = () => {
    const at = words.findIndex(word => single.includes(word))
    return at > 0 ? { meant: words[at]!, rest: words.toSpliced(at, 1) } : null
  }
  const isTopic = known.topics.includes(first)
  const topic = isTopic ? first : nearest(first, known.topics)
  const slip = isTopic ? below(topic) : (alone() ?? below(topic))
  const found = slip ?? (isTopic ? null : later())
  const suggestion = slip ? `. Did you mean 'qanat ${slip.meant}'?` : found ? ': the command comes first' : ''
  // `list` is no command, and `experiment list` is.
  const inTopics = isTopic || found ? [] : proposed.filter(name => name.endsWith(` ${first}`))
  const help =
    inTopics.length > 0
      ? inTopics.map(name => `qanat ${name}`).join('        ')
      : topic === null || slip
        ? 'qanat --help        shows all commands'
        : `qanat ${topic} --help        shows its commands`
  const line = found && displayCommand(['qanat', ...found.meant.split(' '), ...found.rest])
  return new UserError(
    `no command '${shortened(isTopic ? `${first} ${second}`.trim() : first)}'${suggestion}`,
    line ? `${line}\n${help}` : help,
  )
}
