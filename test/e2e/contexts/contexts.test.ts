import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lacksSshd, Sshd } from '../../sites/sshd.js'
import { lacksMounts, skips } from '../../skips.js'
import { outcomeOf } from '../program.js'
import { type Folder, projectWith, until } from '../project.js'

describe.skipIf(skips('contexts', lacksSshd()))('a context', () => {
  let sshd: Sshd
  beforeAll(() => {
    sshd = new Sshd()
  })
  afterAll(() => sshd.end())

  /** A project with the experiment `it`, and the context `box`, its root, and what adds keys to it. */
  async function project(script: string) {
    const folder = await projectWith(script)
    const home = mkdtempSync(join(sshd.folder, 'home-'))
    const root = join(home, 'root')
    Object.assign(folder.environment, sshd.environment, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home })
    await folder.qanat('context', 'add', 'box', '--host', 'box', '--root', root)
    const context = (keys: string) => {
      const file = join(home, 'qanat/contexts.yaml')
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace('box:', () => `box:\n  ${keys}`),
      )
    }
    context('poll_interval: 1')
    return { folder, root, context }
  }

  const logIn = async (folder: Folder) =>
    expect(await folder.qanat('context', 'login', 'box')).toMatchObject({ code: 0 })

  test('keeps large files there until they are asked for, and its runs go to the trash and come back', async () => {
    const { folder } = await project('head -c 2000000 /dev/zero >"$QANAT_STORAGE_PATH/large"; echo said\n')
    await logIn(folder)
    expect(await folder.qanat('run', '--context', 'box', '--wait', 'it')).toMatchObject({ code: 0 })
    expect(await folder.json('run_show', '1', '--json')).toMatchObject({ context: 'box', status: 'finished' })
    expect([folder.read('results/it/run_1/stdout.txt'), folder.has('results/it/run_1/large')]).toEqual([
      'said\n',
      false,
    ])
    expect(await folder.qanat('run_fetch', '1')).toMatchObject({ code: 0 })
    expect(folder.read('results/it/run_1/large')).toHaveLength(2_000_000)
    await folder.qanat('run_delete', '1', '--yes')
    expect(folder.has('results/it/run_1')).toBe(false)
    await folder.qanat('trash', 'restore', '1')
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('said\n')
  })

  test.skipIf(skips('a full disk', lacksMounts()))(
    'refuses a launch where its disk is full, until there is room',
    async () => {
      const { folder, root } = await project('echo said\n')
      mkdirSync(root)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root])
      onTestFinished(() => void execFileSync('umount', ['--lazy', root]))
      await logIn(folder)
      execFileSync('sh', ['-c', 'cat /dev/zero >"$0" 2>/dev/null || true', join(root, 'fill')])
      const { code, stderr } = await folder.qanat('run', '--context', 'box', 'it')
      expect([code, stderr]).toEqual([1, expect.stringMatching(/No space left on device\n +make room there/)])
      rmSync(join(root, 'fill'))
      expect(await folder.qanat('run', '--context', 'box', '--wait', 'it')).toMatchObject({ code: 0 })
    },
  )

  test('lets files of groups come as it says, and others when they are asked for', async () => {
    const { folder, context } = await project(
      'cd "$QANAT_STORAGE_PATH"; for each in a.svg a.bin; do head -c 3000000 /dev/zero >"$each"; done; echo 1 >b.txt\n',
    )
    context("fetch: {include: ['*.svg'], max_file: 4M}")
    await logIn(folder)
    await folder.qanat('run', '--context', 'box', '--wait', 'it', '-R', '--seed 0 2 1')
    const here = () =>
      [0, 1].flatMap(group =>
        ['a.svg', 'a.bin', 'b.txt'].filter(name => folder.has(`results/it/run_1/group_${group}/${name}`)),
      )
    expect(here()).toEqual(['a.svg', 'a.svg'])
    const { stdout } = await folder.qanat('run_fetch', '1')
    expect(stdout).toContain('Nothing else of run 1 came.\nNot fetched: 4 files (6.0 MB): ')
    expect((await folder.json('run_fetch', '1.1', '--include', '*.txt', '--json')).came).toEqual({ files: 1, bytes: 2 })
    expect(here()).toEqual(['a.svg', 'a.svg', 'b.txt'])
    const all = await folder.json('run_fetch', '1', '--all', '--json')
    expect(all).toMatchObject({ fetched: true, came: { files: 3 }, not_fetched: { files: 0, bytes: 0 } })
    expect(here()).toHaveLength(6)
    // A list does not wait for them.
    await folder.qanat('run', '--context', 'box', '--detach', 'it', '-R', '--seed 0 2 1')
    const large = ['results/it/run_2/group_0/a.svg', 'results/it/run_2/group_1/a.svg']
    await until(
      async () => {
        await folder.qanat('runs')
        return large.filter(path => folder.has(path)).length
      },
      count => count === 2,
    )
  })

  test('copies finished groups to a place that lasts, from which they are fetched', async () => {
    const { folder, root, context } = await project(
      'cd "$QANAT_STORAGE_PATH"; echo "$2 $$" >a; mkdir b; head -c 3000000 /dev/zero >b/large; ln -s b/large link; exit "$2"\n',
    )
    const storage = `${root} lasts`
    context(`storage: '${storage}'`)
    await logIn(folder)
    await folder.qanat('run', '--context', 'box', '--wait', '-V', '--seed 0 1', 'it')
    const [own] = readdirSync(storage)
    const copy = join(storage, own!, 'results/it/run_1')
    expect([readdirSync(copy), readdirSync(join(copy, 'group_0')).sort()]).toEqual([
      ['group_0'],
      ['a', 'b', 'group_info.yaml', 'link', 'stderr.txt', 'stdout.txt'],
    ])
    // The second attempt of a group takes the place of the first.
    await folder.qanat('run_retry', '1', '--wait', '--yes')
    const removed = join(root, own!, 'results/it/run_1')
    rmSync(removed, { recursive: true })
    const fetched = await folder.json('run_fetch', '1', '--json')
    expect(fetched).toMatchObject({ came: { files: 2, bytes: 3_000_000 }, not_fetched: { files: 0 } })
    expect(folder.read('results/it/run_1/group_0/link')).toHaveLength(3_000_000)
    // One group alone, whose folder is that of the run; a copy that fails is a warning.
    await folder.qanat('run', '--context', 'box', '--wait', 'it', '--seed', '0')
    const alone = join(storage, own!, 'results/it/run_2')
    expect(readdirSync(alone).sort()).toEqual([
      ...['a', 'b', 'group_info.yaml', 'info.yaml', 'link', 'stderr.txt', 'stdout.txt'],
    ])
    await folder.qanat('run_delete', '2', '--yes')
    expect(existsSync(alone)).toBe(true)
    await folder.qanat('trash', 'empty', '--yes')
    expect([existsSync(alone), existsSync(copy)]).toEqual([false, true])
    rmSync(join(storage, own!, 'results/it'), { recursive: true })
    writeFileSync(join(storage, own!, 'results/it'), 'in the way')
    await folder.qanat('run', '--context', 'box', '--wait', 'it', '--seed', '0')
    await folder.qanat('run_fetch', '3')
    const { stdout } = await folder.qanat('run_show', '3')
    expect([stdout, folder.has('results/it/run_3/b/large')]).toEqual([
      expect.stringMatching(/Status: finished[\s\S]*could not be copied to .*run_3, and are where they were: mkdir/),
      true,
    ])
  })

  test('tells a week before files are removed there, and what lies there', async () => {
    const { folder, root, context } = await project('head -c 2000000 /dev/zero >"$QANAT_STORAGE_PATH/large"\n')
    context('purge: 1w')
    await logIn(folder)
    for (const _ of [1, 2]) await folder.qanat('run', '--context', 'box', '--wait', 'it')
    const warning =
      /box removes files of runs 1 and 2 from \d{4}-\d\d-\d\d on, and not all are here: qanat run_fetch 1\n/
    for (const words of [['runs'], ['experiment', 'status', 'it']])
      expect((await folder.qanat(...words)).stderr).toMatch(warning)
    expect((await folder.qanat('run_show', '2')).stdout).toMatch(/Warning: box removes files of run 2 from /)
    const { there, ...counts } = await folder.json('context', 'show', 'box', '--json')
    expect(counts).toMatchObject({ runs: 2, not_fetched: 2, purge: 7 * 86_400_000 })
    expect(there[0]).toMatchObject({ what: 'runs', path: expect.stringContaining(`${root}/`) })
    expect(there[0].bytes).toBeGreaterThan(4_000_000)
    await folder.qanat('run_fetch', '1')
    await folder.qanat('run_fetch', '2')
    expect((await folder.qanat('runs')).stderr).toBe('')
    const { stdout } = await folder.qanat('context', 'show', 'box')
    expect(stdout).toMatch(/^box:\n {2}purge: 1w[\s\S]*\n2 runs\n[\s\S]*\nruns +4\.\d MB +qanat run_delete/m)
    await folder.qanat('context', 'logout', 'box')
    expect((await folder.qanat('context', 'show', 'box')).stdout).toContain(
      'Sizes are not known: there is no connection',
    )
  })

  test('without a connection refuses launches before anything is made, and shows runs as they are known', async () => {
    const { folder } = await project('sleep 60\n')
    await folder.qanat('context', 'logout', 'box')
    const early = await folder.qanat('run', '--context', 'box', 'it')
    expect([early.code, early.stderr]).toEqual([4, expect.stringContaining('qanat context login box')])
    await logIn(folder)
    await folder.qanat('run', '--context', 'box', 'it')
    await folder.whenStatus(1, 'running')
    expect((await folder.qanat('context', 'logout', 'box')).stdout).toContain('Its runs go on')
    const { stdout, stderr, code } = await folder.qanat('experiment', 'status', 'it', '--refresh')
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('running'),
      expect.stringContaining('qanat context login box'),
    ])
    const refused = await folder.qanat('run', '--context', 'box', 'it')
    expect([refused.code, (await folder.json('runs', '--json')).runs.length]).toEqual([4, 1])
    await logIn(folder)
    // No run that lives shares its copy of the code.
    await folder.qanat('run', '--context', 'box', 'it')
    expect((await folder.qanat('run_show', '2')).stdout).toMatch(/frozen in \S+@box_2\)/)
    for (const id of [1, 2]) {
      expect(await folder.qanat('run_cancel', String(id))).toMatchObject({ code: 0 })
      await folder.whenStatus(id, 'cancelled')
    }
  })

  test('takes five sessions to launch a thousand groups of a new commit, and one to look at them', async () => {
    const { folder } = await project('sleep 60\n')
    await logIn(folder)
    const counted = async (...words: string[]) => {
      const before = sshd.sessions()
      expect(await folder.qanat(...words)).toMatchObject({ code: 0 })
      return sshd.sessions() - before
    }
    expect(await counted('run', '--context', 'box', '--detach', 'it', '-R', '--seed 0 1000 1')).toBe(5)
    expect(await counted('runs', '--refresh')).toBe(1)
    expect((await folder.json('runs', '--json')).runs).toMatchObject([{ status: 'running', groups: { running: 1 } }])
    expect(await folder.qanat('run_cancel', '1')).toMatchObject({ code: 0 })
  })

  test('that is gone leaves its runs in the lists', async () => {
    const { folder } = await project('echo said\n')
    await logIn(folder)
    await folder.qanat('run', '--context', 'box', '--wait', 'it')
    await folder.qanat('context', 'delete', 'box')
    expect((await folder.qanat('runs')).stdout).toContain('on box')
    const { code, stderr } = await folder.qanat('run', '--context', 'bxo', 'it')
    expect([code, stderr]).toEqual([2, expect.stringContaining("no context 'bxo'")])
  })

  test('has the uncommitted changes of a launch, and the preparation of a commit once', async () => {
    const { folder, root, context } = await project('cat made; echo old\n')
    context('prepare: echo prepared >>made')
    folder.write('it.sh', 'cat made; echo new\n')
    await logIn(folder)
    for (const id of [1, 2]) {
      await folder.qanat('run', '--context', 'box', '--allow_dirty', '--wait', 'it')
      expect(folder.read(`results/it/run_${id}/stdout.txt`)).toBe('prepared\nnew\n')
    }
    // What a purge has removed is made again.
    execFileSync('sh', ['-c', 'rm -r "$1"/*/.qanat/cache/*@box', 'sh', root])
    await folder.qanat('rerun', '--wait', '1')
    expect(folder.read('results/it/run_3/stdout.txt')).toBe('prepared\nnew\n')
    const copies = async () => (await folder.json('cache', 'status', '--context', 'box', '--json')).cache
    expect(await copies()).toMatchObject([{ name: expect.stringMatching(/@box$/), runs: [1, 2, 3], in_use: false }])
    expect((await folder.json('cache', 'status', '--json')).cache).toEqual([])
    // What a script has left there stays, and its copy with it.
    const left = join(root, readdirSync(root)[0]!, '.qanat/cache', (await copies())[0].name, 'left')
    writeFileSync(left, 'by a script')
    expect((await folder.qanat('cache', 'clean', '--context', 'box')).stdout).toMatch(
      /^Kept \.qanat\/cache\/\S+@box, where scripts have left left$/m,
    )
    rmSync(left)
    expect((await folder.json('cache', 'clean', '--context', 'box', '--json')).removed).toHaveLength(1)
    expect([await copies(), readdirSync(join(left, '../..'))]).toEqual([[], []])
    // A rerun has the settings of the context of its run, whichever one is named now.
    const file = join(folder.environment.XDG_CONFIG_HOME!, 'qanat/contexts.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('echo prepared', 'echo again'))
    await folder.qanat('rerun', '--wait', '1')
    expect(folder.read('results/it/run_4/stdout.txt')).toBe('again\nnew\n')
  })

  test('prepares copies with equal inputs once, as long as nothing has changed what was made', async () => {
    const { folder, root, context } = await project('cat out/x; [ "$1" != spoil ] || echo spoilt >>out/x\n')
    const [count, copies] = [join(root, 'count'), () => readdirSync(join(root, own, '.qanat/cache'))]
    context(
      `prepare: 'mkdir -p -- "out/-a b"; cat lock >out/x; ln -s x out/link; echo >>${count}'\n  prepare_inputs: [lock]`,
    )
    await logIn(folder)
    const launch = async (id: number, lock: string, ...words: string[]) => {
      folder.write('lock', lock)
      folder.write('code', `${id}`)
      folder.commit()
      await folder.qanat('run', '--context', 'box', '--wait', 'it', ...words)
      return [folder.read(`results/it/run_${id}/stdout.txt`), readFileSync(count, 'utf8').length]
    }
    expect(await launch(1, 'a', 'spoil')).toEqual(['a', 1])
    const own = readdirSync(root).find(name => name !== 'count')!
    // What was made for the first has changed since.
    expect(await launch(2, 'a')).toEqual(['a', 2])
    expect(await launch(3, 'a')).toEqual(['a', 2])
    expect(await launch(4, 'b')).toEqual(['b', 3])
    expect(await launch(5, 'a')).toEqual(['a', 3])
    expect(copies().filter(name => /@box$/.test(name))).toHaveLength(5)
    const file = join(folder.environment.XDG_CONFIG_HOME!, 'qanat/contexts.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('[lock]', '[lcok]'))
    const refused = await folder.qanat('run', '--context', 'box', 'it')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing in the commit matches lcok')])
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/prepare: .*/, 'prepare: no-such-program')
        .replace('lcok', 'lock'),
    )
    const missing = await folder.qanat('run', '--context', 'box', 'it')
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/\(exit 127\)[\s\S]*no-such-program/)])
    expect((await folder.json('cache', 'clean', '--context', 'box', '--json')).removed).toHaveLength(4)
    // The first one, which has what its script has changed.
    expect(new Set(copies().map(name => name.replace(/@box.*/, '')))).toHaveProperty('size', 1)
  })

  test('has the images of its containers', async () => {
    const { folder, root } = await project('echo said\n')
    await logIn(folder)
    folder.write('image.sif', 'here')
    folder.commit()
    const refused = await folder.qanat('run', '--context', 'box', '--container', 'image.sif', 'it')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no container image.sif on box')])
    const [tools, image] = [mkdtempSync(join(sshd.folder, 'tools-')), join(root, 'image.sif')]
    writeFileSync(image, 'there')
    writeFileSync(
      join(tools, 'apptainer'),
      '#!/bin/sh\nfor each; do case $each in *.sif) echo "in $each" ;; esac; done\n',
      { mode: 0o755 },
    )
    sshd.says(`PATH=${tools}:$PATH\n`)
    await folder.qanat('run', '--context', 'box', '--wait', '--container', image, 'it')
    sshd.says('')
    expect(folder.read('results/it/run_1/stdout.txt')).toContain(`in ${image}\n`)
  })

  test('refuses a dataset that is not there, and takes the one that it names', async () => {
    const { folder, root, context } = await project('cat "$4"\n')
    folder.write('.gitignore', 'data\n')
    folder.write('data', 'here\n')
    folder.write('data.yaml', 'name: data\npath: data\n')
    await folder.qanat('dataset', 'new', '-f', 'data.yaml')
    folder.write('it.yaml', `${folder.read('it.yaml')}datasets: [data]\n`)
    folder.git('add', '--all')
    folder.git('commit', '--quiet', '--message', 'data')
    await logIn(folder)
    const refused = await folder.qanat('run', '--context', 'box', 'it')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('the dataset data is not on box')])
    expect(refused.stderr).toContain('qanat dataset push data --context box')
    const pushed = await folder.json('dataset', 'push', 'data', '--context', 'box', '--json')
    expect(pushed).toMatchObject({ files: 1, sent: { files: 1, bytes: 5 } })
    await folder.qanat('run', '--context', 'box', '--wait', 'it')
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('here\n')
    folder.write('data', 'here, later\n')
    expect((await folder.qanat('dataset', 'push', 'data', '--context', 'box')).stdout).toContain('Sent: 1 file (12 B).')
    const again = await folder.qanat('rerun', '--wait', '1')
    expect([folder.read('results/it/run_2/stdout.txt'), again.stderr]).toEqual(['here, later\n', ''])
    folder.write('it.sh', 'cat "$4"; while [ -d "$1" ]; do sleep 0.1; done\n')
    folder.commit()
    const gate = mkdtempSync(join(sshd.folder, 'gate-'))
    await folder.qanat('run', '--context', 'box', '--detach', 'it', gate, 'x')
    const inUse = await folder.qanat('dataset', 'push', 'data', '--context', 'box', '--remove')
    expect([inUse.code, inUse.stderr]).toEqual([2, expect.stringMatching(/run 3 is \w+ and reads data on box/)])
    rmSync(gate, { recursive: true })
    await folder.whenStatus(3, 'finished')
    const remove = () => folder.json('dataset', 'push', 'data', '--context', 'box', '--remove', '--json')
    const { removed } = await remove()
    expect([removed, existsSync(removed)]).toEqual([expect.stringMatching(/\/\.qanat\/datasets\/data$/), false])
    expect((await remove()).removed).toBe(null)
    expect(await folder.qanat('run', '--context', 'box', 'it')).toMatchObject({ code: 2 })
    mkdirSync(root, { recursive: true })
    writeFileSync(join(root, 'data of there'), 'there\n')
    context(`datasets: {data: '${join(root, 'data of there')}'}`)
    await folder.qanat('run', '--context', 'box', '--wait', 'it')
    expect(folder.read('results/it/run_4/stdout.txt')).toBe('there\n')
    const named = await folder.qanat('dataset', 'push', 'data', '--context', 'box')
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('says that data lies at')])
    const nowhere = await folder.qanat('dataset', 'push', 'data')
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('which context?')])
  })

  test('looks at no other repository than that of the project', async () => {
    const { folder } = await project('echo said\n')
    await logIn(folder)
    folder.environment.GIT_DIR = join(folder.path, '../other.git')
    const misled = await folder.qanat('run', '--context', 'box', '--wait', 'it')
    delete folder.environment.GIT_DIR
    expect([misled.code, folder.read('results/it/run_1/stdout.txt')]).toEqual([0, 'said\n'])
  })

  test('is logged in to once by two at the same time, and a preparation there ends with Ctrl-C', async () => {
    const { folder, root, context } = await project('echo said\n')
    await folder.qanat('context', 'logout', 'box')
    const before = sshd.logins()
    const logins = [1, 2].map(() => outcomeOf(folder.start(['context', 'login', 'box'])))
    expect((await Promise.all(logins)).map(({ code }) => code)).toEqual([0, 0])
    expect(sshd.logins() - before).toBe(1)
    context(`prepare: 'echo $$ >${root}/pid; sleep 1000 & wait'`)
    const child = folder.start(['run', '--context', 'box', 'it'])
    const ended = outcomeOf(child)
    const pid = await until(
      () => (existsSync(join(root, 'pid')) ? Number(readFileSync(join(root, 'pid'), 'utf8')) : 0),
      each => each > 0,
    )
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') })
    // Nobody may have waited for it: then it has no words any more.
    await until(
      () => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '',
      isThere => !isThere,
    )
    expect((await folder.json('runs', '--json')).runs).toEqual([])
  })

  test('that does not answer makes a list wait for five seconds, and not one that does not show it', async () => {
    const { folder } = await project('sleep 6\n')
    await logIn(folder)
    await folder.qanat('run', '--context', 'box', 'it')
    await folder.whenStatus(1, 'running')
    sshd.stop()
    const began = performance.now()
    await until(
      () => folder.qanat('runs'),
      ({ stderr }) => stderr.includes('has not answered within 5 s, and is asked in the background'),
    )
    const late = performance.now()
    expect((await folder.qanat('runs', '--context', 'here', '--refresh')).stdout).toContain('None of 1 run fits')
    expect([late - began, performance.now() - late].map(time => time < 20_000)).toEqual([true, true])
    sshd.goOn()
    // The process in the background stores the end; nobody else asks.
    await until(
      () => folder.inDatabase(database => database.prepare('SELECT groups_finished FROM runs').pluck().get()),
      finished => finished === 1,
    )
  })

  test('is used although its shell prints lines, changes folder and sets options', async () => {
    sshd.says('echo quota: 90 %; echo warning >&2; cd /tmp; set -u\n')
    const { folder } = await project('echo said\n')
    await logIn(folder)
    await folder.qanat('run', '--context', 'box', '--wait', 'it')
    expect(folder.read('results/it/run_1/stdout.txt')).toBe('said\n')
    sshd.says('')
  })
})
