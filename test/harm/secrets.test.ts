import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paths } from '../e2e/expectations.js'
import { Folder, shellProject } from '../e2e/project.js'

const secret = 's3cret-token'

test.each(['022', '002'])(
  'with umask %s, values of variables are only in settings that their owner alone can read',
  async umask => {
    const project = await shellProject()
    const own = new Folder()
    own.write('template.yaml', `env: { TOKEN: ${secret} }\nsetup: ":"\n`)
    const template = `--submit_template ${own.path}/template.yaml`
    const { stderr } =
      await project.shell(`umask ${umask}; rm .qanat/database.db; qanat init --yes; qanat experiment new -f it.yaml
    qanat run ${template} it -g true -g false
    qanat run ${template} --detach it 'true'; qanat run_wait it 2; qanat run_retry it 1; qanat rerun it 2
    qanat run_tag it 2 +kept; qanat run_delete it 2 --yes; qanat doctor --repair`)
    expect(stderr).not.toContain('Error')
    const holding = paths(project)
      .filter(name => /^(\.qanat|results)\//.test(name) && lstatSync(join(project.path, name)).isFile())
      .filter(name => readFileSync(join(project.path, name), 'latin1').includes(secret))
    expect(holding).toEqual([
      'results/.trash/run_2/.run/settings.sh',
      'results/it/run_1/.run/launch_2/settings.sh',
      'results/it/run_1/.run/settings.sh',
      'results/it/run_3/.run/settings.sh',
    ])
    expect(holding.filter(name => (lstatSync(join(project.path, name)).mode & 0o077) !== 0)).toEqual([])
  },
)
