import { expect, test } from 'vitest'
import { expectError } from '../expectations.js'
import { projectWith } from '../project.js'

/** What makes a thing of these kinds complete. */
const complete = { dataset: 'path: data', experiment: 'executable: it.sh' }

test.each(['dataset', 'experiment'] as const)('what cannot be a %s is refused, and changes nothing', async kind => {
  const folder = await projectWith('true')
  folder.write('data/x.csv', '1\n')
  await folder.shell("printf '\\377\\376' >binary.yaml")
  const write = (lines: string) => folder.write('sub/file.yaml', `${lines}\n`)
  expectError(await folder.qanat(kind, 'delete', 'summary', '-y'), 2, `no ${kind} 'summary'\n`)
  for (const name of ['iris', 'summary_iris']) {
    write(`name: ${name}\n${complete[kind]}`)
    expect((await folder.qanat(kind, 'new', '-f', 'sub/file.yaml')).code).toBe(0)
  }
  const before = (await folder.qanat(kind, 'list', '--json')).stdout
  const file = '-f sub/file.yaml'
  const near = [`no ${kind} 'summary_iri'. Did you mean summary_iris?`, `qanat ${kind} list`]
  for (const [line, lines, ...expected] of [
    [
      `new ${file}`,
      `name: "../../x"\n${complete[kind]}`,
      'sub/file.yaml:1:7: name: ',
      'a name is a letter (A-Z or a-z)',
    ],
    [`new ${file}`, `name: "${'x'.repeat(300)}"\n${complete[kind]}`, 'sub/file.yaml:1:7: name: '],
    [`new ${file}`, 'name: a\n\tpath: b', 'sub/file.yaml:2:1: Tabs'],
    [`new ${file}`, 'name: a\ndescripton: b', 'sub/file.yaml:2:1: descripton: unknown key. Did you mean description?'],
    [`new ${file}`, 'name: a\n---\nname: b', 'sub/file.yaml:2:1: a second YAML document'],
    [`new ${file}`, `name: iris\n${complete[kind]}`, `${kind} 'iris' already exists`, `qanat ${kind} update iris`],
    [`update summary_iris ${file}`, `name: iris\n${complete[kind]}`, `${kind} 'iris' already exists`],
    [`update summary_iri ${file}`, `name: new\n${complete[kind]}`, ...near],
    ['delete summary_iri -y', '', ...near],
    ['new -f nope.yaml', '', "no file 'nope.yaml'"],
    ['new -f data', '', "'data' is a folder"],
    ['new binary.yaml', '', 'binary.yaml is not UTF-8 text'],
    ['new', '', 'no terminal', `-f ${kind}.yaml`],
    ['update iris', '', 'no terminal', `-f ${kind}.yaml`],
    ['delete iris', '', 'no terminal', '--yes'],
  ] as const) {
    write(lines)
    const outcome = await folder.qanat(kind, ...line.split(' '))
    expectError(outcome, 2, ...expected)
    expect(outcome.stderr.length).toBeLessThan(400)
  }
  expect((await folder.qanat(kind, 'list', '--json')).stdout).toBe(before)
})
