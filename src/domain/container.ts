/** The container that the groups of a run are executed in. */
export interface Container {
  /** A file or folder of Apptainer or Singularity (absolute), a source that it understands (`docker://…`), or the name
   * of an image of Docker or Podman. */
  readonly image: string
  readonly kind: 'apptainer' | 'docker'
  readonly gpu: boolean
  /** What identifies the image's content, `sha256:…`; null where that cannot be said here. */
  readonly digest: string | null
}
