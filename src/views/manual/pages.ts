/** A page of the documentation, as build.js puts it into manual.json. */
export interface ManualPage {
  /** The word that `qanat help` knows it by: the name of its file, or the command that it is about. */
  readonly topic: string
  /** What kind of page it is: the folder of docs/ that has it; `commands` for the page of a command. */
  readonly section: string
  readonly title: string
  readonly text: string
}

/** The page that a link of another page leads to, and the place in it; null if it leads elsewhere. The index has no topic. */
export function linkedPage(href: string): { topic: string | null; isCommand: boolean; anchor: string } | null {
  const [, folders = '', name, anchor = ''] = /^(.*\/)?(?:\d+-)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined || href.includes(':')) return null
  const isCommand = folders.endsWith('commands/')
  return { topic: name === 'README' ? null : isCommand ? name.replaceAll('-', ' ') : name, isCommand, anchor }
}

/** Sections whose pages are read as a whole, in the order in which they are listed. */
export const sections = ['tutorial', 'how-to', 'explanation', 'reference', 'errors']

/** The pages of a section by their titles. */
export function pagesOf(pages: readonly ManualPage[], section: string): ManualPage[] {
  return pages.filter(page => page.section === section)
}

/** The pages from the text of manual.json. */
export function parseManual(text: string): ManualPage[] {
  return JSON.parse(text)
}

/** The page that some words of a command line name; hyphens, underscores and spaces are the same. */
export function pageNamed(pages: readonly ManualPage[], words: readonly string[]): ManualPage | null {
  const plain = (topic: string) => topic.toLowerCase().replace(/[_ ]/g, '-')
  const wanted = plain(words.join(' '))
  return pages.find(({ topic }) => plain(topic) === wanted) ?? null
}
