import packageJson from '../../package.json' with { type: 'json' }

export const { version, description } = packageJson

/** What `--version` says. */
export const userAgent = `qanat/${version} ${process.platform}-${process.arch} node-${process.version}`
