import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lifecycle } from '../../clusters/lifecycle.js'
import { lacks, skips } from '../../skips.js'
import { buildChanged } from '../changed-program.js'
import { LocalProject } from '../local-project.js'
import { awaits, Folder, projectWith } from '../project.js'
import { Elsewhere, lacksNamespaces } from './machine.js'
import { elsewhere } from './site.js'

/** A project whose runs are elsewhere, where its folder has another path. */
class ProjectElsewhere extends LocalProject {
  constructor(
    folder: string,
    program: string,
    environment: NodeJS.ProcessEnv,
    private readonly machine: Elsewhere,
  ) {
    super(folder, program, environment)
  }

  override there(...parts: string[]): string {
    return this.machine.there(this.path(...parts))
  }
}

const changes = {
  'src/cli/context.ts': [
    [/^/, "import { elsewhere } from '../../test/e2e/elsewhere/site.js'\n"],
    [/\bsite: here\b/, 'site: elsewhere'],
    [/^ *if \(name === here\.name\) return here$/m, '$&\n  if (name === elsewhere.name) return elsewhere'],
  ],
} as const

describe.skipIf(skips('runs on another machine', lacks('rsync') ?? lacksNamespaces()))(
  'local runs on another machine',
  () => {
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
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    })

    const makeProject = async (script: string, templates = '', name = 'project') => {
      const base = await projectWith(script)
      const path = join(new Folder().path, name)
      renameSync(base.path, path)
      const environment = {
        ...base.environment,
        QANAT_ELSEWHERE: machine.folder,
        XDG_CACHE_HOME: folder,
        ONLY_HERE: '1',
      }
      const project = new ProjectElsewhere(path, program, environment, machine)
      project.write('.qanat/config.yaml', templates)
      await project.commit('settings')
      machine.share(path)
      onTestFinished(() => expect(machine.mixedUp(path)).toBe(''))
      return project
    }

    lifecycle('local', makeProject)

    test('have nothing of the environment here, and are known and cancelled there', async () => {
      const project = await makeProject(`env >"$QANAT_PROJECT/.qanat/env"; ${awaits('end')}\n`)
      await project.launch('local', 'it')
      const { group_list } = await project.when(1, ({ status }) => status === 'running')
      expect(group_list[0]!.host).toBe(elsewhere.name)
      const variables = project.read('.qanat/env').split('\n')
      expect(variables).toContain('PLACE=there')
      expect(variables.filter(line => line.startsWith('ONLY_HERE'))).toEqual([])
      expect((await project.qanat('run_cancel', 'it', '1')).code).toBe(0)
      await project.whenStatus(1, 'cancelled')
    })

    test('are explained, deleted while they live, and restored', async () => {
      const project = await makeProject(`echo said; ${awaits('end')}\n`)
      await project.launch('local', 'it')
      await project.when(1, () => project.read('results/it/run_1/stdout.txt') === 'said\n')
      expect((await project.qanat('why', '1')).stdout).toMatch(/process \d+ lives/)
      expect((await project.qanat('run_logs', '1')).stdout).toContain('said')
      expect((await project.qanat('run_delete', '1', '--yes')).code).toBe(0)
      expect((await project.qanat('trash', 'restore', '1')).code).toBe(0)
      expect((await project.show(1)).status).toBe('cancelled')
    })
  },
)
