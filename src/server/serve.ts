import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperationError, UserError } from '../errors.js'
import type { Workspace } from '../operations/workspace.js'
import { readShipped } from '../system/shipped.js'
import { answersOf } from './answers.js'
import { Aside } from './aside.js'
import { headers, refusal } from './guard.js'
import { helpPage } from './help.js'
import { takesLong } from './long-answers.js'
import { decoded, failure, type Reply, replyTo } from './reply.js'
import { Watch } from './watch.js'

const host = '127.0.0.1'
/** What QANA is on the keys of a telephone. */
const usualPort = 7262

/** Types of the files of the pages, by the ends of their names. The build puts the files beside the program. */
const files: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }
const pages = /^\/(documents(\/[^/]+)?|datasets|runs(\/\d+(\/groups\/\d+)?)?|experiments\/[^/]+(\/\w+)?)?$/

export interface Serving {
  /** With the token. */
  readonly address: string
  readonly port: number
  close(): void
}

/**
 * Serves the pages of a project to this machine.
 * @param port null for the usual one, or any other if that is in use
 * @param asideWords of the command that answers long questions, see {@link Aside}
 * @throws UserError if the port is in use
 */
export async function serve(
  workspace: Workspace,
  port: number | null,
  asideWords: readonly string[],
): Promise<Serving> {
  const stop = new AbortController()
  const token = randomBytes(24).toString('base64url')
  const watch = new Watch(workspace, stop.signal)
  const answers = answersOf(workspace)
  const aside = new Aside(asideWords)
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => fail(response, error))
  })
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const url = new URL(`http://${host}${request.url?.startsWith('/') ? request.url.replace(/^\/+/, '/') : '/'}`)
    const cookie = `qanat_${(server.address() as AddressInfo).port}`
    const refused = refusal(request, url, token, cookie)
    if (refused) return send(response, refused.status, 'text/plain', refused.text)
    if (url.searchParams.has('token')) {
      response.setHeader('Set-Cookie', `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`)
    }
    const path = decoded(url.pathname)
    if (path === '/api/changes') return watch.add(response)
    const reply = takesLong(url) ? await aside.ask(url) : await replyTo(workspace, answers, url)
    if (reply) return sendReply(response, reply)
    const [, name, extension = ''] = /^\/(pages\/[a-z-]+\.([a-z]+))$/.exec(path) ?? []
    if (name !== undefined && Object.hasOwn(files, extension)) return sendFile(response, name, files[extension]!)
    const help = helpPage(path, url.searchParams.get('q') ?? '')
    if (help !== null) return send(response, 200, 'text/html', help)
    if (pages.test(url.pathname)) return sendFile(response, 'pages/index.html', 'text/html')
    send(response, 404, 'text/plain', 'There is no such page.')
  }
  await listen(server, port)
  const actual = (server.address() as AddressInfo).port
  return {
    address: `http://${host}:${actual}/?token=${token}`,
    port: actual,
    close() {
      stop.abort()
      aside.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, port: number | null): Promise<void> {
  const tryPort = (wanted: number) =>
    new Promise<NodeJS.ErrnoException | null>(resolve => {
      server.once('error', resolve)
      server.listen(wanted, host, () => {
        server.off('error', resolve)
        resolve(null)
      })
    })
  let error = await tryPort(port ?? usualPort)
  if (error?.code === 'EADDRINUSE' && port === null) error = await tryPort(0)
  if (error?.code === 'EADDRINUSE') {
    throw new UserError(`port ${port} is in use`, 'qanat view        takes a free one')
  }
  if (error?.code === 'EACCES') throw new UserError(`port ${port} may not be used`, 'take one from 1024 to 65535')
  if (error) throw new OperationError(`no pages can be served: ${error.message}`)
}

function sendFile(response: ServerResponse, name: string, type: string): void {
  try {
    send(response, 200, type, readShipped(name))
  } catch {
    send(response, 404, 'text/plain', 'There is no such page.')
  }
}

function sendReply(response: ServerResponse, { status, type, body, start }: Reply): void {
  if (start !== undefined) response.setHeader('X-Start', start)
  send(response, status, type, body)
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` })
  response.end(body)
}

function fail(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) return void response.end()
  sendReply(response, failure(thrown))
}
