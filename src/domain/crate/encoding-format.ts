/** The media types of files that programs write, by the ends of their names. */
const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  tex: 'text/x-tex',
  patch: 'text/x-diff',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  xml: 'application/xml',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  parquet: 'application/vnd.apache.parquet',
  sqlite: 'application/vnd.sqlite3',
  zip: 'application/zip',
  gz: 'application/gzip',
}

/** What a file is as its name says; null if that says nothing. */
export function encodingFormat(name: string): string | null {
  const [, end = ''] = /\.(\w+)$/.exec(name) ?? []
  return Object.hasOwn(mediaTypes, end.toLowerCase()) ? mediaTypes[end.toLowerCase()]! : null
}
