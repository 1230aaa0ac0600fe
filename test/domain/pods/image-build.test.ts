import { expect, test } from 'vitest'
import {
  buildWords,
  builtImage,
  dockerfileOf,
  type ImageBuild,
  pullWords,
  pushWords,
  takesFiles,
} from '../../../src/domain/pods/image-build.js'

const from = { base: 'python:3.12', requirements: 'env/requirements.txt' }
const build: ImageBuild = { repository: 'registry.example.org/lab/iris', from }

test('a base gets the packages of a file, whatever it is called', () => {
  expect(dockerfileOf(from)).toBe(`FROM python:3.12
COPY requirements.txt /tmp/requirements.txt
RUN PIP_BREAK_SYSTEM_PACKAGES=1 python3 -m pip install --no-cache-dir -r /tmp/requirements.txt
`)
})

test.each([
  ['FROM a\nCOPY x /x\n', true],
  ['FROM a\n  add x /x\n', true],
  ['FROM a\nONBUILD COPY x /x\n', true],
  ['FROM a\nRUN --mount=type=bind,target=/x cat /x/y\n', true],
  ['FROM a\nRUN echo COPY x\n', false],
  ['FROM a\n# COPY x /x\nENV COPYING=1\n', false],
])('whether %j takes files of its folder: %s', (text, expected) => {
  expect(takesFiles(text)).toBe(expected)
})

test('the tag changes with each of the things that an image is made of, and with nothing else', () => {
  const all = [
    builtImage(build, 'FROM a\n', null),
    builtImage(build, 'FROM b\n', null),
    builtImage(build, 'FROM a\n', 'e69de29'),
    builtImage(build, 'FROM a\n', 'd00491f'),
  ]
  expect(new Set(all).size).toBe(4)
  for (const image of all) expect(image).toMatch(/^registry\.example\.org\/lab\/iris:[0-9a-f]{16}$/)
  expect(builtImage({ ...build, from: { dockerfile: 'Dockerfile' } }, 'FROM a\n', null)).toBe(all[0])
})

test.each([
  ['buildah', 'buildah pull --policy always r/a:1'],
  ['podman', 'podman pull r/a:1'],
  ['docker', 'docker pull r/a:1'],
] as const)('the commands of %s', (builder, pull) => {
  const image = 'r/a:1'
  expect(pullWords(builder, image).join(' ')).toBe(pull)
  expect(buildWords(builder, image, '/t/Dockerfile', '/t/files').join(' ')).toBe(
    `${builder} build --tag r/a:1 --file /t/Dockerfile /t/files`,
  )
  expect(pushWords(builder, image).join(' ')).toBe(`${builder} push r/a:1`)
})
