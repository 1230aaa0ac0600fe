import { unknownTemplateKey } from '../../domain/job-environment.js'
import type { TemplateDialect } from '../template-dialect.js'

/** The local runner has no keys of its own. */
export const localDialect: TemplateDialect<null> = {
  parse(keys, environment) {
    for (const key of Object.keys(keys)) throw unknownTemplateKey(key, environment)
    return null
  },
  asks: () => ({}),
  owned: [],
  description: 'Submit templates for this machine.',
  keys: null,
  shared: {},
}
