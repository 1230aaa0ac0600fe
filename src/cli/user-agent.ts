/** Fields of package.json, inserted by build.js. */
declare const PROGRAM: { readonly version: string; readonly description: string }

export const { version, description } = PROGRAM

/** The text that `--version` prints. */
export const userAgent = `qanat/${version} ${process.platform}-${process.arch} node-${process.version}`
