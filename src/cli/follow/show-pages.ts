import type { Workspace } from '../../operations/workspace.js'
import { openInBrowser } from '../../server/browser.js'
import { serve } from '../../server/serve.js'
import { tunnelCommand } from '../../server/tunnel.js'
import { inTemporaryFolder } from '../../system/temporary-folder.js'

export { answerAside } from '../../server/aside.js'

/** Serves the pages of a project until Ctrl-C. @param port null for the usual one, or another if that is in use */
export async function showPages(
  workspace: Workspace,
  port: number | null,
  opens: boolean,
  print: (text: string) => void,
): Promise<void> {
  const serving = await serve(workspace, port, ['view', '--answer'])
  const ended = new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  const tunnel = tunnelCommand(serving.port)
  print(`${serving.address}\n${tunnel ? `From your own machine, type first: ${tunnel}\n` : ''}Ctrl-C ends it`)
  if (opens) {
    await inTemporaryFolder(async folder => {
      if (!openInBrowser(serving.address, folder)) {
        workspace.warn('no program is here that opens a browser (xdg-open): open the address above yourself')
      }
      await ended
    })
  }
  await ended
  serving.close()
}
