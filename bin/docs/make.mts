import { manPages } from './man.mjs'
import { reference } from './reference.mjs'

// Run by write.mjs: prints the files of a kind by their names.

const makers: Readonly<Record<string, () => Promise<Record<string, string>>>> = { reference, man: manPages }
process.stdout.write(JSON.stringify(await makers[process.argv[2]!]!()))
