import { shapeOf } from './cli/completion/shapes.js'
import { commands, shortNames, topics } from './commands/index.js'

// Run by build.js: prints what completion needs to know about all commands.

const shapes = Object.entries(commands).map(async ([name, load]) => [name, shapeOf((await load()).default)] as const)
Promise.all(shapes).then(all => {
  process.stdout.write(JSON.stringify({ commands: Object.fromEntries(all), shortNames, topics }))
})
