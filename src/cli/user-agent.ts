/** What package.json says of the program; build.js puts it here. */
declare const PROGRAM: { readonly version: string; readonly description: string }

export const { version, description } = PROGRAM

/** What `--version` says. */
export const userAgent = `qanat/${version} ${process.platform}-${process.arch} node-${process.version}`
