import { dirname } from 'node:path'
import { Config } from '@oclif/core'
import { description, userAgent, version } from './user-agent.js'

/**
 * What oclif needs to know of the program. It would look for it on the disk at every start, with hundreds of system
 * calls on what may be a network file system; the bundle knows it already.
 */
export function configuration(): Config {
  const root = dirname(import.meta.dirname)
  const config = new Config({ root })
  return Object.assign(config, {
    root,
    name: 'qanat',
    bin: 'qanat',
    version,
    userAgent,
    topicSeparator: ' ',
    pjson: {
      name: 'qanat',
      version,
      description,
      oclif: { bin: 'qanat', topicSeparator: ' ' },
    },
    valid: true,
    platform: process.platform,
    arch: process.arch,
    shell: process.env.SHELL ?? '',
    dirname: 'qanat',
    rootPlugin: { name: 'qanat', hooks: {} },
  })
}
