import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { expectError, paths } from '../expectations.js'
import { groups, projectWith, shellProject } from '../project.js'

const broken: [name: string, template: unknown, ...texts: string[]][] = [
  ['a quote that is never closed', { setup: 'a=1\necho "up\ncd /tmp' }, 'setup: line 2: ', 'matching `"\': echo "up'],
  ['a case without an end', { after_modules: 'case x in' }, 'after_modules: line 1: '],
  ['an apostrophe', { teardown: "echo it's over" }, 'teardown: line 1: ', "echo it's over"],
  [
    'a loop without an end',
    { background: ['sleep 1', 'while true\ndo nvidia-smi'] },
    'background[1]: line 2: ',
    'end of file',
  ],
  ['a bracket too much', { setup: 'ls\necho $(date))\nls' }, 'setup: line 2: ', "`)'"],
  ['an end too much, and a shell of its own', { shell: 'sh', setup: 'true\nfi' }, 'setup: line 2: '],
]

test.each(broken)(
  'a launch with %s in its template is refused with the line, and makes nothing',
  async (_, template, ...texts) => {
    const folder = await projectWith('true')
    folder.write('.qanat/broken.yaml', stringify(template))
    const before = paths(folder)
    for (const words of [['it'], ['--dry_run', 'it'], ['-r', 'slurm', '--dry_run', 'it']]) {
      const outcome = await folder.qanat('run', '--submit_template', '.qanat/broken.yaml', ...words)
      expectError(outcome, 2, 'submit template .qanat/broken.yaml: ', ...texts, 'qanat config edit')
    }
    expect(paths(folder)).toEqual(before)
  },
)

test('a retry with a template that no shell can read is refused, too', async () => {
  const folder = await shellProject()
  await folder.qanat('run', 'it', 'exit 3')
  folder.write('.qanat/broken.yaml', 'setup: echo "up\n')
  const outcome = await folder.qanat('run_retry', 'it', '1', '--submit_template', '.qanat/broken.yaml')
  expectError(outcome, 2, 'setup: line 1: ')
  expect((await folder.show()).group_list[0]).toMatchObject({ attempt: 1, status: 'failed' })
})

test('lines that only look broken are left to the shell that runs them', async () => {
  const folder = await shellProject()
  const setup = `a=(one two); [[ \${a[1]} = t* ]] && echo "it's"; diff <(true) <(true)
shopt -s extglob
case readme in !(*.md)) echo other;; esac
cat <<'END'
an "open quote in a text
END
# it's a remark`
  for (const template of [
    { setup },
    { shell: '/no/such/bash', setup: '"' },
    { shell: 'python3 -', teardown: "it's" },
  ]) {
    folder.write('.qanat/odd.yaml', stringify(template))
    const { code } = await folder.qanat('run', '--dry_run', '--submit_template', '.qanat/odd.yaml', 'it')
    expect([code, template]).toEqual([0, template])
  }
  folder.write('.qanat/odd.yaml', stringify({ setup }))
  expect((await folder.qanat('run', '--submit_template', '.qanat/odd.yaml', 'it', ...groups('true'))).code).toBe(0)
  expect(folder.read('results/it/run_1/stdout.txt')).toContain('other\nan "open quote in a text\n')
})
