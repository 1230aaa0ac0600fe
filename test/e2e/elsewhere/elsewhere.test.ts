import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lifecycle } from '../../clusters/lifecycle.js'
import { skips } from '../../skips.js'
import { buildChanged } from '../changed-program.js'
import { LocalProject } from '../local-project.js'
import { awaits, Folder, projectWith } from '../project.js'
import { Elsewhere, lacksNamespaces } from './machine.js'
import { elsewhere } from './site.js'

const changes = {
  'src/cli/context.ts': [
    [/^/, "import { elsewhere } from '../../test/e2e/elsewhere/site.js'\n"],
    [/\bsite: here\b/, 'site: elsewhere'],
    [/^ *if \(name === here\.name\) return here$/m, '$&\n  if (name === elsewhere.name) return elsewhere'],
  ],
} as const

describe.skipIf(skips('runs on another machine', lacksNamespaces()))('local runs on another machine', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qanat-there-')))
  let program: string
  let machine: Elsewhere
  beforeAll(async () => {
    program = buildChanged(folder, ['test/e2e/elsewhere'], changes)
    const facts = join(folder, 'facts.cjs')
    const options = { bundle: true, platform: 'node', format: 'cjs' } as const
    buildSync({ entryPoints: ['test/e2e/elsewhere/facts.ts'], outfile: facts, ...options })
    machine = await Elsewhere.begin(facts)
  })
  afterAll(async () => {
    await machine.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const makeProject = async (script: string, templates = '', name = 'project') => {
    const base = await projectWith(script)
    const path = join(new Folder().path, name)
    renameSync(base.path, path)
    const environment = { ...base.environment, QANAT_ELSEWHERE: machine.folder, XDG_CACHE_HOME: folder }
    const project = new LocalProject(path, program, environment)
    project.write('.qanat/config.yaml', templates)
    await project.commit('settings')
    return project
  }

  lifecycle('local', makeProject)

  test('have nothing of the environment here, and are known and cancelled there', async () => {
    const project = (await makeProject(`env >"$QANAT_PROJECT/.qanat/env"; ${awaits('end')}\n`)).with({ ONLY_HERE: '1' })
    await project.launch('local', 'it')
    const { group_list } = await project.when(1, ({ status }) => status === 'running')
    expect(group_list[0]!.host).toBe(elsewhere.name)
    const variables = project.read('.qanat/env').split('\n')
    expect(variables).toContain('PLACE=there')
    expect(variables.filter(line => line.startsWith('ONLY_HERE'))).toEqual([])
    expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(0)
    await project.whenStatus(1, 'cancelled')
  })
})
