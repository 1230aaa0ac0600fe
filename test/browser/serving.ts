import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Folder } from '../e2e/project.js'

/** A running `qanat view`. */
export interface View {
  readonly child: ChildProcess
  /** With the token. */
  readonly address: string
  readonly port: number
  /** All that it has printed. */
  printed(): string
}

/** Starts `qanat view` and waits until it has printed its address. */
export async function view(folder: Folder, ...words: string[]): Promise<View> {
  const child = folder.start(['view', ...words])
  let printed = ''
  const address = await new Promise<string>((resolve, reject) => {
    const add = (text: string) => {
      printed += text
      const found = /^(http:\S+)\n(.*\n)*Ctrl-C ends it\n/.exec(printed)?.[1]
      if (found) resolve(found)
    }
    child.stdout!.setEncoding('utf8').on('data', add)
    child.stderr!.setEncoding('utf8').on('data', add)
    child.on('close', () => reject(new Error(printed)))
  })
  return { child, address, port: Number(new URL(address).port), printed: () => printed }
}

/** Asks with a path and headers as they are, which `fetch` would correct. @returns what the server has answered */
export async function get(port: number, path: string, headers = {}, method = 'GET') {
  const asked = request({ host: '127.0.0.1', port, path, headers, method }).end()
  const [response]: IncomingMessage[] = await once(asked, 'response')
  let text = ''
  for await (const piece of response!.setEncoding('utf8')) text += piece
  return { status: response!.statusCode!, headers: response!.headers, text, json: () => JSON.parse(text) }
}

/** Asks as a page does, which has the cookie. @returns a function from paths to answers */
export async function visitor({ port, address }: View) {
  const { pathname, search } = new URL(address)
  const { headers } = await get(port, pathname + search)
  const cookie = headers['set-cookie']![0]!.split(';')[0]!
  return (path: string) => get(port, path, { cookie })
}
