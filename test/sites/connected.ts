import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { FetchRules } from '../../src/domain/data/fetch-rules.js'
import { closeConnection, openConnection } from '../../src/sites/ssh/connection.js'
import { sshSite } from '../../src/sites/ssh/site.js'
import { Sshd } from './sshd.js'

export const mega = 1024 * 1024

const host = { host: 'box', shell: [], login: 'qanat context login box' }

/** A folder, and a server that there is a connection to: for the tests around this call. */
export function withConnection() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-connected-')))
  let sshd: Sshd
  const connect = async () => expect(await openConnection(host, false)).toBe(true)

  beforeAll(async () => {
    sshd = new Sshd()
    Object.assign(process.env, sshd.environment)
    await connect()
  })
  afterAll(async () => {
    await closeConnection(host)
    sshd.end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A project in the folder, here and there, with its site. */
  function place(name: string, rules: FetchRules | null = null) {
    const project = { here: join(folder, name, 'here'), there: join(folder, name, 'there') }
    for (const each of [project.here, join(project.there, '.qanat')]) mkdirSync(each, { recursive: true })
    const site = sshSite({ name: 'box', pollInterval: 1, programs: ['sh'], storage: null, ...host, project, rules })
    return { project, site }
  }

  /**
   * Lets a program there do only a part of its work; then its connection is gone.
   * @param part shell code that does it
   */
  function cutting(program: string, part: string) {
    const tools = join(folder, 'tools')
    const [noted, whole] = [join(folder, 'noted'), join(folder, 'whole')]
    mkdirSync(tools)
    writeFileSync(
      join(tools, program),
      `#!/bin/sh
echo "$2" >>'${noted}'
[ -e '${whole}' ] && exec /usr/bin/${program} "$@"
${part}
pid=$$
until case $(cat "/proc/$pid/comm") in sshd*) ;; *) false ;; esac; do pid=$(cut -d ' ' -f 4 "/proc/$pid/stat"); done
kill -KILL "$pid"
`,
    )
    chmodSync(join(tools, program), 0o755)
    sshd.says(`PATH=${tools}:$PATH`)
    return {
      /** The second words of its calls, as numbers. */
      noted: () => readFileSync(noted, 'utf8').trim().split('\n').map(Number),
      /** Whether it does all of its work from now on. */
      isWhole(is: boolean) {
        if (is) writeFileSync(whole, '')
        else rmSync(whole)
      },
      end: () => sshd.says(''),
    }
  }

  return { folder, place, connect, cutting }
}
