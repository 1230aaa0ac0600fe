import { documents } from '../../cli/questions/document.js'
import { updateCommand } from '../../cli/registry/commands.js'

export default updateCommand(documents)
