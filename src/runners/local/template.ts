import { unknownTemplateKey } from '../../domain/job-environment.js'
import { UserError } from '../../errors.js'
import { extendedElsewhere } from '../scheduler/template-keys.js'
import type { TemplateDialect } from '../template-dialect.js'

/** The local runner has no keys of its own. */
export const localDialect: TemplateDialect<null> = {
  parse(keys, environment) {
    for (const key of Object.keys(keys)) throw unknownTemplateKey(key, environment)
    if (environment.resources.extended !== undefined) throw extendedElsewhere()
    if (environment.pack !== null)
      throw new UserError(
        'the submit template has pack, which is for schedulers: this machine deals groups to slots anyway',
        'leave pack out, and say how many groups run at a time: --n_threads N',
      )
    return null
  },
  asks: () => ({}),
  owned: [],
  description: 'Submit templates for this machine.',
  keys: null,
  shared: {},
}
