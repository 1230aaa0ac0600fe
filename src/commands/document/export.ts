import { documents } from '../../cli/questions/document.js'
import { exportCommand } from '../../cli/registry/commands.js'

export default exportCommand(documents)
