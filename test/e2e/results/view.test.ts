import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { get, view, visitor } from '../../browser/serving.js'
import { lives } from '../processes.js'
import { outcomeOf } from '../program.js'
import { groups, shellProject, until } from '../project.js'

/** A project with a run of two groups, of which the second fails. */
async function projectWithRun(environment: NodeJS.ProcessEnv = {}) {
  const folder = await shellProject(environment)
  await folder.qanat('run', 'it', ...groups('echo "it wrote this"', 'echo "it failed" >&2; exit 3'))
  return folder
}

describe('who may read the pages', () => {
  test('only with the token, which then is in a cookie that no script and no other page can use', async () => {
    const shown = await view(await projectWithRun())
    const { pathname, search } = new URL(shown.address)
    for (const path of ['/', '/api/overview', '/pages/app.js', '/api/changes', '/?token=wrong', '/?token=']) {
      expect((await get(shown.port, path)).status).toBe(403)
    }
    const first = await get(shown.port, pathname + search)
    expect(first.status).toBe(200)
    const [cookie] = first.headers['set-cookie']!
    expect(cookie).toMatch(/^qanat_\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/)
    const second = await get(shown.port, '/api/overview', { cookie: cookie!.split(';')[0]! })
    expect(second.json().table.rows).toMatchObject([{ link: '/experiments/it' }])
    expect((await get(shown.port, '/', { cookie: cookie!.replace(/=.{3}/, '=abc').split(';')[0]! })).status).toBe(403)
  })

  test('only under a name of this machine, so that no page elsewhere can have its own name lead here', async () => {
    const shown = await view(await projectWithRun())
    const { pathname, search } = new URL(shown.address)
    const status = async (host: string) => (await get(shown.port, pathname + search, { host })).status
    expect(await Promise.all(['localhost:9000', '127.0.0.1', `[::1]:${shown.port}`].map(status))).toEqual([
      200, 200, 200,
    ])
    const others = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', 'evil.example:7262']
    expect(await Promise.all(others.map(status))).toEqual([403, 403, 403, 403])
  })

  test('nobody can write, and nothing but what a page shows can be reached', async () => {
    const shown = await view(await projectWithRun())
    const { pathname, search } = new URL(shown.address)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await get(shown.port, pathname + search, {}, method)).status).toBe(405)
    }
    const ask = await visitor(shown)
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

  test('a page may load nothing from elsewhere', async () => {
    const ask = await visitor(await view(await projectWithRun()))
    const { headers } = await ask('/')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })
})

describe('a comparison', () => {
  /** The process that compares and draws for the pages. */
  async function comparing() {
    const folder = await projectWithRun()
    const shown = await view(folder)
    const ask = await visitor(shown)
    expect((await ask('/api/experiments/it/compare')).status).toBe(200)
    const pid = Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(shown.child.pid)], { encoding: 'utf8' }))
    return { ask, pid, shown }
  }

  test('that takes long does not keep other pages waiting', async () => {
    const { ask, pid } = await comparing()
    process.kill(pid, 'SIGSTOP')
    const compared = ask('/api/experiments/it/compare?repeats=1')
    const others = [
      '/',
      '/api/overview',
      '/api/runs',
      '/api/experiments/it',
      '/api/runs/1',
      '/api/runs/1/groups/0/stdout',
    ]
    for (const path of others) expect([path, (await ask(path)).status]).toEqual([path, 200])
    process.kill(pid, 'SIGCONT')
    expect((await compared).json().command).toBe('qanat compare it --repeats')
  })

  test('says so if its process has been killed, and the next one is made by another', async () => {
    const { ask, pid } = await comparing()
    process.kill(pid, 'SIGSTOP')
    const compared = ask('/api/experiments/it/compare')
    // The pages have handed on the first question when they answer the second one.
    expect((await ask('/api/overview')).status).toBe(200)
    process.kill(pid, 'SIGKILL')
    const { error } = (await compared).json()
    expect(error.message).toBe('the process that compares and draws has ended: SIGKILL')
    expect((await ask('/api/experiments/it/compare')).status).toBe(200)
  })

  test('ends with the command, even if that is killed', async () => {
    const { pid, shown } = await comparing()
    shown.child.kill('SIGKILL')
    await until(
      () => lives(pid),
      isThere => !isThere,
    )
  })
})

describe('an output', () => {
  test('is read from where the last look ended, and only its end if that is long', async () => {
    const folder = await projectWithRun()
    const ask = await visitor(await view(folder))
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
    folder.write('secret/stdout.txt', 'secret')
    const ask = await visitor(await view(folder))
    const run = join(folder.path, 'results/it/run_1')
    rmSync(join(run, 'group_0/stdout.txt'))
    symlinkSync(join(folder.path, 'secret/stdout.txt'), join(run, 'group_0/stdout.txt'))
    expect((await ask('/api/runs/1/groups/0/stdout')).text).toBe('')
    rmSync(join(run, 'group_1'), { recursive: true })
    symlinkSync(join(folder.path, 'secret'), join(run, 'group_1'))
    expect((await ask('/api/runs/1/groups/1/stdout')).text).toBe('')
    rmSync(join(run, 'group_1'))
    mkdirSync(join(run, 'group_1'))
    folder.write('results/it/run_1/other.txt', 'inside')
    symlinkSync('../other.txt', join(run, 'group_1/stdout.txt'))
    expect((await ask('/api/runs/1/groups/1/stdout')).text).toBe('inside')
  })
})

describe('the command', () => {
  test('ends at once at Ctrl-C, also while a page is open', async () => {
    const shown = await view(await projectWithRun())
    const { pathname, search } = new URL(shown.address)
    const { headers } = await get(shown.port, pathname + search)
    const open = get(shown.port, '/api/changes', { cookie: headers['set-cookie']![0]!.split(';')[0]! })
    open.catch(() => {})
    const ended = once(shown.child, 'close')
    shown.child.kill('SIGINT')
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
    expect(folder.read('page')).toContain(`url=${shown.address}"`)
    expect(folder.read('mode')).toBe('600\n')
    const words = folder.read('words')
    expect(words).toMatch(/^\/\S+\/qanat\.html$/)
    const ended = once(shown.child, 'close')
    shown.child.kill('SIGTERM')
    expect([await ended, existsSync(words)]).toEqual([[0, null], false])
  })

  test('prints the command for a tunnel to whoever is here by ssh', async () => {
    const folder = await projectWithRun({ SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22' })
    const shown = await view(folder)
    const tunnel = `ssh -L ${shown.port}:127.0.0.1:${shown.port} ${userInfo().username}@${hostname()}`
    expect(shown.printed()).toContain(`From your own machine, type first: ${tunnel}\n`)
  })
})

test('if a newer program changes the schema meanwhile, the pages say that the command has to be started again', async () => {
  const folder = await projectWithRun()
  const ask = await visitor(await view(folder))
  expect((await ask('/api/overview')).status).toBe(200)
  const database = new Database(join(folder.path, '.qanat/database.db'))
  database.pragma('user_version = 1000')
  database.close()
  const { status, json } = await ask('/api/overview')
  expect([status, json().error]).toEqual([
    500,
    {
      message: 'a newer Qanat has changed the database meanwhile',
      hint: 'end this command with Ctrl-C, and start it again',
    },
  ])
})

test('a repair of the database meanwhile is noticed', async () => {
  const folder = await projectWithRun()
  const ask = await visitor(await view(folder))
  rmSync(join(folder.path, '.qanat/database.db'))
  expect((await folder.qanat('doctor', '--repair')).code).toBe(0)
  expect((await ask('/api/overview')).json().error.message).toBe('another database is in place of this one by now')
})

test('lists are asked for in parts, filtered and sorted as on the command line, which is said', async () => {
  const folder = await projectWithRun()
  await folder.qanat('run', '--tag', 'mine', 'it', 'true')
  await folder.qanat('run', '--tag', "it's", 'it', 'true')
  const ask = await visitor(await view(folder))
  const list = async (query: string) => {
    const { table, total, command } = (await ask(`/api/experiments/it?${query}`)).json()
    return [table.rows.map(({ link }: { link: string }) => link), total, command]
  }
  expect(await list('')).toEqual([['/runs/3', '/runs/2', '/runs/1'], 3, 'qanat experiment status it'])
  expect(await list('limit=1&offset=1')).toEqual([['/runs/2'], 3, 'qanat experiment status it'])
  expect(await list('status=failed&filter=since:1d')).toEqual([
    ['/runs/1'],
    1,
    'qanat experiment status it --status failed --since 1d',
  ])
  expect(await list('filter=tag:mine&sort=id')).toEqual([
    ['/runs/2'],
    1,
    'qanat experiment status it --tag mine --sort id',
  ])
  const [, , command] = await list(`filter=${encodeURIComponent('tag:"it\'s" true')}`)
  const { stdout } = await folder.shell(`${command} --json`)
  expect(JSON.parse(stdout).runs.map(({ id }: { id: number }) => id)).toEqual([3])
  const wrong = (await ask('/api/runs?sort=colour')).json()
  expect(wrong.error.message).toBe('--sort colour: runs cannot be sorted by it')
})
