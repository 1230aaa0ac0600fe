import { manPages } from './man.mjs'
import { reference } from './reference.mjs'

// Run by write.mjs: prints the files that are made from the program, by their paths.

const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])
const files = [...below('docs/reference', await reference()), ...below('dist/man', await manPages())]
process.stdout.write(JSON.stringify(Object.fromEntries(files)))
