import { dirname } from 'node:path'
import { Config } from '@oclif/core/config'
import { description, userAgent, version } from './user-agent.js'

/**
 * What oclif needs to know about the program. Without it, oclif would search the disk at every start, with hundreds of
 * system calls, perhaps on a network file system.
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
    pjson: { name: 'qanat', version, description, oclif: { bin: 'qanat', topicSeparator: ' ' } },
    valid: true,
    platform: process.platform,
    arch: process.arch,
    shell: process.env.SHELL ?? '',
    dirname: 'qanat',
    rootPlugin: { name: 'qanat', hooks: {} },
  })
}
