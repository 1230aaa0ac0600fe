// Loaded once something is asked. The bundle leaves out the prompts that nothing imports.
export { checkbox, confirm, input, select } from '@inquirer/prompts'
