import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paths } from '../e2e/expectations.js'
import { Folder, projectWith, quote } from '../e2e/project.js'

test.each(['077', '027'])('with umask %s nothing of a project or a run is open to more', async umask => {
  const folder = new Folder()
  folder.git('init', '--quiet')
  folder.write('it.sh', 'echo "$@"; touch "$QANAT_STORAGE_PATH/made"; [ "$1" != fails ]\n')
  folder.write('.qanat-it.yaml', 'name: it\nexecutable: it.sh\nexecutable_command: sh\n')
  folder.write('p.yaml', 'x: 1\n')
  folder.commit()
  const { stderr } = await folder.shell(`umask ${umask}
    qanat init --yes && qanat experiment new -f .qanat-it.yaml && qanat run it x && qanat run it -g x -g fails --n_threads 2
    qanat run --detach --parameters_file p.yaml it --parameters_file p.yaml; qanat run_wait it 3
    qanat run_retry it 2; qanat run_comment it 1 -m words; qanat config set poll_interval 60; qanat export
    touch dirty; qanat run --allow_dirty it -g x -g y; qanat run_delete it 1 --yes; qanat rerun it 2; qanat cache status`)
  expect(stderr).not.toContain('QANAT_DEBUG')
  const names = paths(folder).filter(name => /^(\.qanat|results)(\/|$)/.test(name))
  const open = names.filter(name => {
    const stats = lstatSync(join(folder.path, name))
    return !stats.isSymbolicLink() && (stats.mode & Number.parseInt(umask, 8)) !== 0
  })
  expect(open).toEqual([])
  const parts = 'config.yaml database.db group_1 made job.sh info.yaml uncommitted.patch .trash'.split(' ')
  expect(parts.filter(part => !names.some(name => name.endsWith(part)))).toEqual([])
})

test('escape sequences in names, descriptions, tags, comments, paths and parameters are shown and have no effect', async () => {
  const project = await projectWith('echo fine >&2; [ "$1" = fine ]\n')
  const raw = '\u001b[31m\u001b[2J\u001b]0;title\u0007\u009b2J\r\b\u007f'
  const text = (word: string) => `"${word}\\e[31m\\e[2J\\e]0;title\\a\\x9b2J\\r\\b\\x7f"`
  const written = (name: string, values: string) => project.write(`.qanat/${name}.yaml`, `{name: ${name}, ${values}}\n`)
  written('data', `path: ${text('d')}, description: ${text('d')}, tags: [${text('t')}]`)
  const actions = `actions: [{name: plot, description: ${text('a')}, executable: it.sh}], path: ${text('p')}`
  const described = `description: ${text('e')}, tags: [${text('t')}], datasets: [data], ${actions}`
  written('evil', `${described}, executable: it.sh, executable_command: sh`)
  project.write('.qanat/wrong.yaml', `{name: ${text('n')}, executable: ${text('x')}}\n`)
  project.write('.qanat/config.yaml', `${text('k')}: 1\ndefault_editor: ${text('v')}\n`)
  // WORD stands for one with such sequences, RUN for a run with them.
  const lines = [
    ...['dataset new .qanat/data.yaml', 'experiment new .qanat/evil.yaml', 'experiment new .qanat/wrong.yaml'],
    ...['dataset list', 'experiment list', 'run evil RUN', 'run evil -g QUOTED -g fine RUN', 'run --dry_run evil RUN'],
    ...['experiment status evil', 'runs', 'runs --csv', 'run_show evil 2', 'why evil 1', 'run_comment evil 1 -m WORD'],
    ...['run_tag evil 1 +WORD', 'run_retry evil 1', 'rerun evil 1', 'config show', 'config get default_editor'],
    ...['experiment export evil', 'dataset export data', 'experiment status WORD', 'run_show evil WORD', 'WORD'],
    ...['status --WORD', 'experiment new WORD', 'run --WORD', 'run --storage_path WORD/x evil', 'runs --json'],
  ]
  const run = ['--tag', `t${raw}`, '--description', `d${raw}`, `w${raw}`]
  for (const line of lines) {
    const words = line.split(' ').flatMap(word => (word === 'RUN' ? run : word.replace('WORD', raw)))
    const { stdout, stderr } = await project.qanat(...words.map(word => (word === 'QUOTED' ? quote(raw) : word)))
    const acting = [...stdout, ...stderr].filter(character => /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(character))
    expect([line, acting]).toEqual([line, []])
  }
  const { experiment } = await project.json('experiment', 'status', 'evil', '--json')
  expect(experiment).toMatchObject({ description: `e${raw}`, tags: [`t${raw}`] })
  project.write('.qanat/again.yaml', (await project.shell(`qanat experiment export evil | sed s/evil/again/`)).stdout)
  await project.qanat('experiment', 'new', '.qanat/again.yaml')
  expect((await project.json('experiment', 'status', 'again', '--json')).experiment.tags).toEqual([`t${raw}`])
})
