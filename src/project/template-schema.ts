import * as v from 'valibot'
import { timeLimitSeconds } from '../domain/job-environment.js'
import { splitWords } from '../domain/text/words.js'
import { anyMapping, mapping, shellWords } from './schema.js'

const SIZE = /^(\d+) ?(?:([KMGT])(?:i?B)?)?$/i
const GPUS = /^[A-Za-z][\w.-]*:\d+$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The keys of a submit template that are the same for every runner; the scheduler's own pass as they are. */
export function templateSchema() {
  return v.pipe(
    anyMapping(),
    v.looseObject({
      extends: v.nullish(text()),
      resources: v.nullish(resourcesSchema(), {}),
      modules: v.nullish(v.array(filledWord(), 'a list of modules'), []),
      conda: v.nullish(filledWord()),
      venv: v.nullish(filledWord()),
      env: v.nullish(envSchema(), {}),
      setup: v.nullish(shellLines(), ''),
      teardown: v.nullish(shellLines(), ''),
      background: v.nullish(v.array(shellLines(), 'a list of commands'), []),
      launcher: v.nullish(words(), ''),
      scratch: v.nullish(v.boolean('true or false'), false),
      shell: v.nullish(words(), ''),
      max_parallel: v.nullish(count('a whole number above 0'), null),
    }),
  )
}

function resourcesSchema() {
  const positive = () => v.nullish(count('a whole number above 0'))
  return mapping({
    cpus: positive(),
    gpus: v.nullish(gpus()),
    memory: v.nullish(size()),
    disk: v.nullish(size()),
    time: v.nullish(timeLimit()),
    nodes: positive(),
    tasks: positive(),
    tasks_per_node: positive(),
    partition: v.nullish(filledWord()),
    account: v.nullish(filledWord()),
    qos: v.nullish(filledWord()),
    constraint: v.nullish(filledWord()),
  })
}

/** Values are text; a null is a variable that a template takes away from the one that it extends. */
function envSchema() {
  const name = v.pipe(v.string(), v.regex(VARIABLE, 'a name of letters, digits and _, not beginning with a digit'))
  return v.pipe(anyMapping(), v.record(name, v.nullish(text())))
}

/** Numbers and booleans are what they look like: an account may be 1234. */
function text() {
  const scalar = v.union([v.string(), v.number(), v.boolean()], 'text')
  return v.pipe(scalar, v.transform(String))
}

function filledWord() {
  return v.pipe(text(), v.nonEmpty('text that is not empty'))
}

function shellLines() {
  return v.string('text (shell lines)')
}

function words() {
  return v.pipe(shellWords(), v.transform(splitWords))
}

function count(expected: string) {
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(1, expected))
}

function gpus() {
  const expected = 'a number, or a type and a number such as v100:2'
  const number = v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(0, expected))
  const type = v.pipe(v.string(expected), v.regex(GPUS, expected))
  return v.union([number, type], expected)
}

/** A number alone is megabytes, as in both schedulers; the B of `4GB` goes. */
function size() {
  const expected = 'a size such as 4G or 512M'
  return v.pipe(
    text(),
    v.regex(SIZE, expected),
    v.transform(written => written.replace(SIZE, (_, digits, unit = 'M') => `${digits}${unit.toUpperCase()}`)),
  )
}

function timeLimit() {
  const expected = 'a time limit such as 90 (minutes), 01:30:00 or 2-00:00:00'
  return v.pipe(
    text(),
    v.check(limit => timeLimitSeconds(limit) !== null, expected),
  )
}
