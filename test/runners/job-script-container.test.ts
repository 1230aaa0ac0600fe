import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Container } from '../../src/domain/container.js'
import { localShells } from '../domain/text/shells.js'
import { folderWith } from '../project/temporary.js'
import { ran, type Worker } from './worker.js'

// What containers themselves do is tried with Podman (e2e/launch/run-podman) and Apptainer (clusters/container), where
// they are there. These programs note how they are called, and run what comes after the image.
const notes = 'echo "${0##*/} $1 $2" >>"$QANAT_PROJECT/calls"\n'
const runs = 'while [ "$1" != image ]; do shift; done; shift; "$@"\n'

const docker: Container = { image: 'image', kind: 'docker', gpu: false, digest: null }
const apptainer: Container = { image: 'image', kind: 'apptainer', gpu: false, digest: null }

/** A PATH on which these programs come first. */
function pathWith(programs: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const folder = folderWith(programs)
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755)
  return { PATH: `${folder}:${process.env.PATH}` }
}

function callsOf(worker: Worker): string[] {
  return worker.read('../../../calls')?.trim().split('\n') ?? []
}

describe.each(localShells)('a group in a container, run by %s', shell => {
  const engine = `#!/bin/sh\n${notes}case $1 in
  run) echo "$@" >"$QANAT_PROJECT/words"; ${runs};;
esac\n`
  const silent = '#!/bin/sh\nexit 1\n'

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
    expect(worker.read('stderr.txt')).toBe('')
    expect(worker.read('stdout.txt')).toBe("it's\n")
    expect(worker.endOf()).toMatchObject({ code: 3, outcome: 'exit' })
    expect(callsOf(worker)).toEqual([
      ...['podman version ', 'podman run --rm', 'podman kill qanat-a-token-0', 'podman rm --force'],
    ])
    const words = worker.read('../../../words')
    expect(words).toMatch(/ --env QANAT_GROUP_INDEX .*--env COLOUR /)
    expect(words).not.toMatch(/red|blue/)
  })

  test('of Docker belongs to its user', async () => {
    const worker = await ran(shell, { container: docker, variables: pathWith({ docker: engine }) })
    const { uid, gid } = { uid: process.getuid!(), gid: process.getgid!() }
    expect(worker.read('../../../words')).toContain(` --user=${uid}:${gid} --env QANAT_`)
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })

  test.each([
    ['neither docker nor podman answers on n1', docker, { docker: silent, podman: silent }],
    ['no such image', apptainer, { apptainer: '#!/bin/sh\necho "no such image" >&2; exit 255\n' }],
  ])('has failed at the launch if %s', async (words, container, programs) => {
    const worker = await ran(shell, { container, variables: pathWith(programs) })
    expect(worker.endOf()).toMatchObject({ code: 1, outcome: 'launch' })
    expect(worker.read('stderr.txt')).toContain(words)
  })

  test('runs the teardown of the template if its setup fails', async () => {
    const environment = { setup: 'false', teardown: 'touch "$QANAT_PROJECT/over"' }
    const worker = await ran(shell, { container: docker, environment, variables: pathWith({ docker: engine }) })
    expect(worker.endOf()).toMatchObject({ outcome: 'launch' })
    expect(worker.read('../../../over')).toBe('')
    expect(callsOf(worker)).toEqual([])
  })

  test.each([
    ['run', 'the runscript that the image has', 'exec "$@"'],
    ['exec', 'the command, where the image says that it has none', 'There is no runscript defined for this container'],
    ['exec', 'the command, where the image says nothing', ''],
  ])('of Apptainer is started with %s: %s', async (verb, _, runscript) => {
    const inspect = `#!/bin/sh\n[ "$1" = inspect ] && { echo '${runscript}'; exit; }\n${notes}${runs}`
    const worker = await ran(shell, { container: apptainer, variables: pathWith({ apptainer: inspect }) })
    expect(callsOf(worker)).toEqual([`apptainer --quiet ${verb}`])
    expect(worker.endOf()).toMatchObject({ code: 0, outcome: 'exit' })
  })
})
