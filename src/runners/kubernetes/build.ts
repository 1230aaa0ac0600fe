import type { ImageBuild } from '../../domain/pods/image-build.js'
import { shortened } from '../../domain/text/names.js'
import { UserError } from '../../errors.js'

const keys = ['base', 'requirements', 'dockerfile', 'repository']
const example =
  'write build: {base: python:3.12, requirements: requirements.txt, repository: registry.example.org/lab/iris}'

/** A name in a registry, which may have a port: lower case, and no tag. */
const repositoryPattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/

/** The key `build` of a template. @throws UserError naming what is wrong */
export function parseBuild(value: unknown): ImageBuild {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UserError('the submit template has build, which is no mapping', example)
  const unknown = Object.keys(value).find(key => !keys.includes(key))
  if (unknown !== undefined)
    throw new UserError(`the submit template has build.${shortened(unknown)}`, `its keys are ${keys.join(', ')}`)
  const given = value as Readonly<Record<string, unknown>>
  const word = (key: string) => {
    const found = given[key] ?? null
    if (found === null || (typeof found === 'string' && /^\S(.*\S)?$/.test(found))) return found
    throw new UserError(`the submit template has build.${key}, which is no text`, example)
  }
  const [base, requirements, dockerfile, repository] = keys.map(word)
  if (!repository) throw new UserError('the submit template has build without a repository', example)
  if (!repositoryPattern.test(repository))
    throw new UserError(
      `the submit template has build.repository: ${repository}`,
      'write the name of an image in a registry, without a tag, as in registry.example.org/lab/iris',
    )
  if (base && requirements && !dockerfile) {
    if (!/\s/.test(base)) return { repository, from: { base, requirements } }
    throw new UserError(`the submit template has build.base: ${base}`, 'name an image, as in base: python:3.12')
  }
  if (dockerfile && !base && !requirements) return { repository, from: { dockerfile } }
  throw new UserError(
    'the submit template has build with neither base and requirements nor a dockerfile alone',
    `${example}
  or build: {dockerfile: image/Dockerfile, repository: …}`,
  )
}
