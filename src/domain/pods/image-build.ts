import { createHash } from 'node:crypto'

/** An image that a launch builds: what groups need besides their code. Files are those of the commit, relative to the project. */
export interface ImageBuild {
  /** Where it is pushed, without a tag, as in `registry.example.org/lab/iris`. */
  readonly repository: string
  readonly from: FromBase | FromDockerfile
}

/** A base, and the Python packages of a file of pip. */
interface FromBase {
  readonly base: string
  readonly requirements: string
}

interface FromDockerfile {
  readonly dockerfile: string
}

/** What the file of {@link FromBase} is called for the builder. */
export const requirementsName = 'requirements.txt'

/** The Dockerfile of a base with the packages of a file. Distributions refuse pip in their Python; an image is there for nothing else. */
export function dockerfileOf({ base }: FromBase): string {
  return `FROM ${base}
COPY ${requirementsName} /tmp/${requirementsName}
RUN PIP_BREAK_SYSTEM_PACKAGES=1 python3 -m pip install --no-cache-dir -r /tmp/${requirementsName}
`
}

/** Whether a Dockerfile can take files of the folder in which it lies. */
export function takesFiles(dockerfile: string): boolean {
  return /^\s*(ONBUILD\s+)?(COPY|ADD)\s|--mount=/im.test(dockerfile)
}

/** An image by its name in the registry, whose tag is a hash of all that it is made of. @param files id of what git has for the builder */
export function builtImage({ repository }: ImageBuild, dockerfile: string, files: string | null): string {
  const hash = createHash('sha256').update(JSON.stringify([dockerfile, files]))
  return `${repository}:${hash.digest('hex').slice(0, 16)}`
}

/** Programs that build images, the first of which is used that is there. */
export const builders = ['buildah', 'podman', 'docker'] as const
export type Builder = (typeof builders)[number]

/**
 * The words that take an image from its registry. What only asks for it, `manifest inspect`, says of an image that is there that it is
 * none, with buildah and podman, and does not know the registries that docker knows.
 */
export function pullWords(builder: Builder, image: string): string[] {
  // Without this, buildah is content with an image that was never pushed.
  return [builder, 'pull', ...(builder === 'buildah' ? ['--policy', 'always'] : []), image]
}

export function buildWords(builder: Builder, image: string, dockerfile: string, folder: string): string[] {
  return [builder, 'build', '--tag', image, '--file', dockerfile, folder]
}

export function pushWords(builder: Builder, image: string): string[] {
  return [builder, 'push', image]
}
