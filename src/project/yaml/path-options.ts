import * as v from 'valibot'
import { type PathOptions, pathOptionsOf } from '../../domain/experiment.js'
import { GIVEN_OPTION } from '../../domain/parameters/arguments.js'
import { check, withoutPosition } from './schema.js'

const usual = pathOptionsOf({})

/** The schema of an option before a path; `none` and an empty value are none. */
export function pathOption(name: keyof PathOptions) {
  const expected = 'an option such as --output_dir, one that is joined to the path such as out=, or none'
  const option = v.pipe(
    v.string(expected),
    v.regex(new RegExp(`^none$|${GIVEN_OPTION.source}`), expected),
    // The pattern says nothing of numbers, which the reader takes as texts.
    v.metadata({ not: { type: ['number', 'boolean'] } }),
  )
  return v.optional(v.nullable(option), usual[name])
}

/** Checks an option that was typed. @throws UserError without a position */
export function checkPathOption(name: keyof PathOptions, text: string): void {
  check(pathOption(name), text, withoutPosition)
}

/** An option that is not the usual one. @param given what {@link pathOption} has read */
export function namedOption<Name extends keyof PathOptions>(
  name: Name,
  given: string | null,
): Partial<Pick<PathOptions, Name>> {
  const option = given === 'none' ? null : given
  return option === usual[name] ? {} : ({ [name]: option } as Pick<PathOptions, Name>)
}
