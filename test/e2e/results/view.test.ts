import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { get, view, visitor } from '../../browser/serving.js'
import { madeOnce } from '../made-once.js'
import { lives } from '../processes.js'
import { outcomeOf } from '../program.js'
import { type Folder, groups, shellProject, until } from '../project.js'

/** A project with a run of two groups, of which the second fails. */
const projectWithRun = madeOnce(async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', ...groups('echo "it wrote this"', 'echo "it failed" >&2; exit 3'))
  return folder
})

/** The pages of a project, where they begin, and somebody who may ask for them. */
async function pages(folder?: Folder) {
  const shown = await view(folder ?? (await projectWithRun()))
  const { pathname, search } = new URL(shown.address)
  return { ...shown, home: pathname + search, ask: await visitor(shown) }
}

describe('who may read the pages', () => {
  test('only with the token, which then is in a cookie that no script and no other page can use', async () => {
    const { port, home } = await pages()
    for (const path of ['/', '/api/overview', '/pages/app.js', '/api/changes', '/?token=wrong', '/?token=']) {
      expect((await get(port, path)).status).toBe(403)
    }
    const first = await get(port, home)
    expect(first.status).toBe(200)
    const [cookie] = first.headers['set-cookie']!
    expect(cookie).toMatch(/^qanat_\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/)
    const second = await get(port, '/api/overview', { cookie: cookie!.split(';')[0]! })
    expect(second.json().table.rows).toMatchObject([{ link: '/experiments/it/compare' }])
    expect((await get(port, '/', { cookie: cookie!.replace(/=.{3}/, '=abc').split(';')[0]! })).status).toBe(403)
  })

  test('only under a name of this machine, so that no page elsewhere can have its own name lead here', async () => {
    const { port, home } = await pages()
    const status = async (host: string) => [host, (await get(port, home, { host })).status]
    for (const host of ['localhost:9000', '127.0.0.1', `[::1]:${port}`]) expect(await status(host)).toEqual([host, 200])
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80'])
      expect(await status(host)).toEqual([host, 403])
  })

  test('nobody can write, a page loads nothing from elsewhere, and nothing but what it shows can be reached', async () => {
    const { port, home, ask } = await pages()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await get(port, home, {}, method)).status).toBe(405)
    const { headers } = await ask('/')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    for (const path of [
      ...['/../it.sh', '/pages/../qanat.cjs', '/pages/..%2fqanat.cjs', '/pages/%2e%2e/qanat.cjs', '//etc/passwd'],
      ...['/.qanat/database.db', '/pages/index.html', '/pages/none.js', '/api/runs/1/groups/0/info.yaml', '/it.sh'],
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
    for (const path of ['/api/runs/7', '/api/runs/1/groups/2', '/api/runs/1/groups/2/stdout', '/api/experiments/no']) {
      expect([path, (await ask(path)).status]).toEqual([path, 400])
    }
  })
})

describe('a comparison', () => {
  /** The process that compares and draws for the pages. */
  async function comparing() {
    const { ask, child } = await pages()
    expect((await ask('/api/experiments/it/compare')).status).toBe(200)
    const pid = Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' }))
    return { ask, pid, child }
  }

  test('that takes long does not keep other pages waiting, and says so if its process is killed', async () => {
    const { ask, pid } = await comparing()
    process.kill(pid, 'SIGSTOP')
    const compared = ask('/api/experiments/it/compare?repeats=1')
    for (const path of ['/', '/api/overview', '/api/experiments/it', '/api/runs/1', '/api/runs/1/groups/0/stdout'])
      expect([path, (await ask(path)).status]).toEqual([path, 200])
    process.kill(pid, 'SIGCONT')
    expect((await compared).json().command).toBe('qanat compare it --repeats')

    process.kill(pid, 'SIGSTOP')
    const failed = ask('/api/experiments/it/compare')
    // The pages have handed on the first question when they answer the second one.
    expect((await ask('/api/overview')).status).toBe(200)
    process.kill(pid, 'SIGKILL')
    expect((await failed).json().error.message).toBe('the process that compares and draws has ended: SIGKILL')
    expect((await ask('/api/experiments/it/compare')).status).toBe(200)
  })

  test('ends with the command, even if that is killed', async () => {
    const { pid, child } = await comparing()
    child.kill('SIGKILL')
    await until(() => !lives(pid))
  })
})

describe('an output', () => {
  test('is read from where the last look ended, and only its end if that is long', async () => {
    const folder = await projectWithRun()
    const { ask } = await pages(folder)
    const path = '/api/runs/1/groups/0/stdout'
    const part = async (query = '') => {
      const { text, headers } = await ask(path + query)
      return [text, headers['x-start']]
    }
    expect(await part()).toEqual(['it wrote this\n', '0'])
    expect(await part('?from=3')).toEqual(['wrote this\n', '3'])
    expect(await part('?from=14')).toEqual(['', '14'])
    expect(await part('?from=900')).toEqual(['it wrote this\n', '0'])
    expect((await ask(`${path}?from=-1`)).status).toBe(400)
    folder.write('results/it/run_1/group_0/stdout.txt', `${'x'.repeat(100_000)}\nend\n`)
    const [text, start] = await part()
    expect([text?.length, text?.slice(-5), start]).toEqual([65_536, '\nend\n', String(100_005 - 65_536)])
    rmSync(join(folder.path, 'results/it/run_1/group_0/stdout.txt'))
    expect(await part()).toEqual(['', '0'])
  })

  test('is not read where a link leads out of the folder of its run', async () => {
    const folder = await projectWithRun()
    const { ask } = await pages(folder)
    folder.write('secret/stdout.txt', 'secret')
    folder.write('results/it/run_1/other.txt', 'inside')
    const run = join(folder.path, 'results/it/run_1')
    const reads = async (link: string, to: string) => {
      rmSync(join(run, link), { recursive: true })
      symlinkSync(to, join(run, link))
      return (await ask(`/api/runs/1/groups/${link[6]}/stdout`)).text
    }
    expect(await reads('group_0/stdout.txt', join(folder.path, 'secret/stdout.txt'))).toBe('')
    expect(await reads('group_0/stdout.txt', '../other.txt')).toBe('inside')
    expect(await reads('group_1', join(folder.path, 'secret'))).toBe('')
  })
})

describe('the command', () => {
  test('ends at once at Ctrl-C, also while a page is open', async () => {
    const { port, home, child } = await pages()
    const { headers } = await get(port, home)
    const open = get(port, '/api/changes', { cookie: headers['set-cookie']![0]!.split(';')[0]! })
    open.catch(() => {})
    const ended = once(child, 'close')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })

  test('takes another port if the usual one is in use, but says so if it was asked for that one', async () => {
    const folder = await projectWithRun()
    const [first, second] = [await view(folder), await view(folder)]
    expect(second.port).not.toBe(first.port)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, stderr } = await outcomeOf(folder.start(['view', '--port', String(port)]))
    other.close()
    expect([code, stderr]).toEqual([2, `Error: port ${port} is in use\n  qanat view        takes a free one\n`])
  })

  test('opens the browser without telling the address to everybody who lists processes', async () => {
    const folder = await projectWithRun()
    folder.write('bin/xdg-open', '#!/bin/sh\nstat -c %a "$1" >mode; cp "$1" page; printf %s "$*" >words\n', 0o755)
    folder.environment.PATH = `${folder.path}/bin:${process.env.PATH}`
    const shown = await view(folder, '--open')
    await until(() => folder.has('words') && folder.read('words') !== '')
    expect([folder.read('page'), folder.read('mode')]).toEqual([
      expect.stringContaining(`url=${shown.address}"`),
      '600\n',
    ])
    const words = folder.read('words')
    expect(words).toMatch(/^\/\S+\/qanat\.html$/)
    const ended = once(shown.child, 'close')
    shown.child.kill('SIGTERM')
    expect([await ended, existsSync(words)]).toEqual([[0, null], false])
  })

  test('prints the command for a tunnel to whoever is here by ssh', async () => {
    const folder = await projectWithRun()
    folder.environment.SSH_CONNECTION = '10.0.0.1 50000 10.0.0.2 22'
    const { port, printed } = await view(folder)
    const tunnel = `ssh -L ${port}:127.0.0.1:${port} ${userInfo().username}@${hostname()}`
    expect(printed()).toContain(`From your own machine, type first: ${tunnel}\n`)
  })
})

test('if a newer program changes the schema meanwhile, the pages say that the command has to be started again', async () => {
  const folder = await projectWithRun()
  const { ask } = await pages(folder)
  expect((await ask('/api/overview')).status).toBe(200)
  const database = new Database(join(folder.path, '.qanat/database.db'))
  database.pragma('user_version = 1000')
  database.close()
  const message = 'a newer Qanat has changed the database meanwhile'
  const hint = 'end this command with Ctrl-C, and start it again'
  const { status, json } = await ask('/api/overview')
  expect([status, json().error]).toEqual([500, { message, hint }])
})

test('a repair of the database meanwhile is noticed', async () => {
  const folder = await projectWithRun()
  const { ask } = await pages(folder)
  rmSync(join(folder.path, '.qanat/database.db'))
  expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
  expect((await ask('/api/overview')).json().error.message).toBe('another database is in place of this one by now')
})

test('a project that is moved meanwhile is said to have been moved', async () => {
  const folder = await projectWithRun()
  const { ask } = await pages(folder)
  renameSync(join(folder.path, '.qanat'), join(folder.path, 'moved'))
  const { message } = (await ask('/api/overview')).json().error
  expect(message).toBe(`the project is no longer in ${folder.path}: its folder was moved, or its database deleted`)
})

test('lists are asked for in parts, filtered and sorted as on the command line, which is said', async () => {
  const folder = await projectWithRun()
  await folder.qanat('run', 'it', 'true')
  await folder.qanat('run', '--tag', "it's", 'it', 'true')
  const { ask } = await pages(folder)
  const list = async (query: string) => {
    const { table, total, command } = (await ask(`/api/experiments/it?${query}`)).json()
    return [table.rows.map(({ link }: { link: string }) => link), total, command.replace('experiment status it', '…')]
  }
  expect(await list('limit=1&offset=1')).toEqual([['/runs/2'], 3, 'qanat …'])
  const failed = 'status=failed&filter=since:1d&sort=id'
  expect(await list(failed)).toEqual([['/runs/1'], 1, 'qanat … --status failed --since 1d --sort id'])
  const [, , command] = await list(`filter=${encodeURIComponent('tag:"it\'s" true')}`)
  const { stdout } = await folder.shell(`${command.replace('…', 'experiment status it')} --json`)
  expect(JSON.parse(stdout).runs.map(({ id }: { id: number }) => id)).toEqual([3])
  expect((await ask('/api/runs?sort=colour')).json().error.message).toBe('--sort colour: runs cannot be sorted by it')
})
