import { describe, expect, test } from 'vitest'
import type { Container } from '../../src/domain/container.js'
import { localShells } from '../domain/text/shells.js'
import { notes, pathWith } from './run-folder.js'
import { ran } from './worker.js'

const docker: Container = { image: 'image', kind: 'docker', gpu: false, digest: null }
const apptainer: Container = { ...docker, kind: 'apptainer' }

// What containers themselves do is tried with Podman (e2e/launch/run-podman) and Apptainer (clusters/container), where
// they are there. These programs note how they are called, and run what comes after the image.
const called = notes('${0##*/} $1 $2')
const runs = 'while [ "$1" != image ]; do shift; done; shift; "$@"'
const engine = `${called}case $1 in run) echo "$@" >"$QANAT_PROJECT/words"; ${runs};; esac`
const silent = 'exit 1'

describe.each(localShells)('a group in a container, run by %s', shell => {
  test.each([
    ['a plain template', { env: { COLOUR: 'red\nand blue' } }],
    ['a template with shell lines', { env: { COLOUR: 'red' }, setup: 'set -eu', teardown: ':' }],
  ])('of Podman has its variables, and is removed after it, with %s', async (_, environment) => {
    const worker = await ran(shell, {
      script: 'echo "$1"; exit 3',
      groups: [["it's"]],
      container: docker,
      environment,
      variables: pathWith({ docker: silent, podman: engine }),
    })
    expect([worker.read('stderr.txt'), worker.read('stdout.txt')]).toEqual(['', "it's\n"])
    expect(worker.endOf()).toMatchObject({ code: 3, outcome: 'exit' })
    const calls = ['podman version ', 'podman run --rm', 'podman kill qanat-a-token-0', 'podman rm --force']
    expect(worker.order()).toEqual(calls)
    const words = worker.read('../../../words')
    expect(words).toMatch(/ --env QANAT_GROUP_INDEX .*--env COLOUR /)
    expect(words).not.toMatch(/red|blue/)
  })

  test('of Docker belongs to its user', async () => {
    const worker = await ran(shell, { container: docker, variables: pathWith({ docker: engine }) })
    expect(worker.read('../../../words')).toContain(` --user=${process.getuid!()}:${process.getgid!()} --env QANAT_`)
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test.each([
    ['neither docker nor podman answers on n1', docker, { docker: silent, podman: silent }],
    ['no such image', apptainer, { apptainer: 'echo "no such image" >&2; exit 255' }],
  ])('has failed at the launch if %s', async (words, container, programs) => {
    const worker = await ran(shell, { container, variables: pathWith(programs) })
    expect(worker.endOf()).toMatchObject({ code: 1, outcome: 'launch' })
    expect(worker.read('stderr.txt')).toContain(words)
  })

  test('runs the teardown of the template if its setup fails', async () => {
    const environment = { setup: 'false', teardown: notes('over') }
    const worker = await ran(shell, { container: docker, environment, variables: pathWith({ docker: engine }) })
    expect(worker.endOf()).toMatchObject({ outcome: 'launch' })
    expect(worker.order()).toEqual(['over'])
  })

  test.each([
    ['run', 'the runscript that the image has', 'exec "$@"'],
    ['exec', 'the command, where the image says that it has none', 'There is no runscript defined for this container'],
    ['exec', 'the command, where the image says nothing', ''],
  ])('of Apptainer is started with %s: %s', async (verb, _, runscript) => {
    const inspect = `[ "$1" = inspect ] && { echo '${runscript}'; exit; }\n${called}${runs}`
    const worker = await ran(shell, { container: apptainer, variables: pathWith({ apptainer: inspect }) })
    expect(worker.order()).toEqual([`apptainer --quiet ${verb}`])
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })
})
