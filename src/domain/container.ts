/** The container that the groups of a run are executed in. */
export interface Container {
  /** An absolute file or folder for Apptainer or Singularity, a source for them (`docker://…`), or the name of an image
   * for Docker or Podman. */
  readonly image: string
  readonly kind: 'apptainer' | 'docker'
  readonly gpu: boolean
  /** The digest of the image's content, `sha256:…`; null if it is not known here. */
  readonly digest: string | null
}
