import * as v from 'valibot'
import { type JobEnvironment, type Resources, SIZE, TIME_LIMIT } from '../../domain/job-environment.js'
import { namedInCode, type WrittenKey } from '../../domain/text/key-names.js'
import { splitWords } from '../../domain/text/words.js'
import { anyMapping, key, mapping, named, shellWords } from '../yaml/schema.js'

const GPUS = /^[A-Za-z][\w.-]*:\d+$/
/** A variable that the job script does not need for itself. */
const SECRET = /^(?!(?:PATH|IFS)$|QANAT_|qanat_)[A-Za-z_][A-Za-z0-9_]*$/
/** No `${NAME:-…}`, which would reach the script as it is written. */
const PLAIN_DOLLARS = /^(?![\s\S]*\$\{(?![A-Za-z_]\w*\}))/
const plainDollars =
  'text in which only $NAME and ${NAME} are expanded: more goes into setup, as in export NAME="${DIR:-/tmp}"'
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Schemas for all members of a domain type, by their keys in a file; the compiler reports missing and unknown ones. */
type Declared<Type> = {
  readonly [Name in keyof Type & string as WrittenKey<Name>]-?: v.GenericSchema<unknown, Written<Type[Name]>>
}

/** An optional value may be null or missing. */
type Written<Value> = undefined extends Value ? Value | null : Value

const resources = {
  cpus: key('CPU cores.', v.nullish(count()), { examples: [4] }),
  gpus: key('GPUs: a number, or a type and a number; on this machine also a part of one.', v.nullish(gpus()), {
    examples: [1, 0.5, 'v100:2'],
  }),
  gpu_devices: key('Which GPUs of this machine are dealt, by their numbers; all without it.', v.nullish(gpuNumbers()), {
    examples: ['0,2'],
  }),
  memory: key('Memory. A number alone is megabytes.', v.nullish(size()), { examples: ['4G', '512M'] }),
  disk: key('Disk on the node. A number alone is megabytes.', v.nullish(size()), { examples: ['10G'] }),
  time: key(
    'The time limit: minutes, minutes:seconds, hours:minutes:seconds, days-hours or days-hours:minutes:seconds.',
    v.nullish(timeLimit()),
    { examples: [90, '01:30:00', '2-00:00:00'] },
  ),
  nodes: key('Nodes. Not on HTCondor.', v.nullish(count()), { examples: [2] }),
  tasks: key('Tasks (MPI ranks). Not on HTCondor.', v.nullish(count()), { examples: [16] }),
  tasks_per_node: key('Tasks on each node. Not on HTCondor.', v.nullish(count()), { examples: [8] }),
  partition: key('The partition. Not on HTCondor.', v.nullish(filledWord()), { examples: ['gpu'] }),
  account: key('The account that the job is charged to; on HTCondor the accounting group.', v.nullish(filledWord()), {
    examples: ['lab'],
  }),
  qos: key('The quality of service. Not on HTCondor.', v.nullish(filledWord()), { examples: ['normal'] }),
  constraint: key('Conditions on the node: features on Slurm, requirements on HTCondor.', v.nullish(filledWord()), {
    examples: ['a100'],
  }),
  extended: key('Other things that nodes have, by name. Only on Kubernetes.', v.nullish(named(v.string(), count())), {
    examples: [{ 'google.com/tpu': 4 }],
  }),
} satisfies Declared<Resources>

/** The keys of a submit template that mean the same for every runner, each declared only here. */
export const templateKeys = {
  resources: key(
    'What each group needs, in terms that are the same for every scheduler. On this machine, memory and time are limits, and the others are ignored.',
    v.nullish(
      v.pipe(
        mapping(resources),
        v.transform(given => namedInCode(withoutNulls(given))),
      ),
      {},
    ),
  ),
  modules: key('Environment modules to load.', v.nullish(v.array(filledWord(), 'a list of modules'), []), {
    examples: [['cuda/12.4']],
  }),
  after_modules: key(
    'Shell lines after loading the modules and before activating conda or venv; if one fails, the group fails.',
    v.nullish(shellLines(), ''),
    { examples: ['source ~/miniconda3/etc/profile.d/conda.sh'] },
  ),
  conda: key('The conda environment to activate, by name or path. Not together with venv.', wordOrNone(), {
    examples: ['training'],
  }),
  venv: key('The Python virtual environment to activate. Not together with conda.', wordOrNone(), {
    examples: ['.venv'],
  }),
  env: key(
    'Environment variables; in their values $NAME, ${NAME} and a leading ~ are expanded where the group runs. null removes a variable of the template that this one extends.',
    v.nullish(v.pipe(variables(), v.transform(withoutNulls)), {}),
    { examples: [{ OMP_NUM_THREADS: 4 }] },
  ),
  secrets: key(
    'Names of variables whose values are never recorded: they are taken from the environment of the launch, or from what a command prints.',
    v.nullish(secrets(), []),
    { examples: [['WANDB_API_KEY'], { HF_TOKEN: { command: ['pass', 'show', 'hf'] } }] },
  ),
  setup: key('Shell lines before the script; if one fails, the group fails.', v.nullish(shellLines(), ''), {
    examples: ['ulimit -n 4096'],
  }),
  teardown: key(
    'Shell lines after the script, even if it failed, was cancelled or reached the time limit.',
    v.nullish(shellLines(), ''),
    { examples: ['cp -r "$QANAT_SCRATCH/logs" "$QANAT_STORAGE_PATH"'] },
  ),
  arguments: key(
    'Words appended to the arguments of each group; in these words ~ and $NAME are expanded where the group runs.',
    v.nullish(v.array(text(), 'a list of words'), []),
    { examples: [['--checkpoints', '$QANAT_SCRATCH/checkpoints']] },
  ),
  background: key(
    'Shell commands that run in the background during the script and are ended after it.',
    v.nullish(v.array(shellLines(), 'a list of commands'), []),
    { examples: [['nvidia-smi dmon']] },
  ),
  nice: key(
    'How far the script gives way to other programs on its machine: 1 to 19, as for the command nice. The place of a job in the queue is --nice on Slurm, and priority on HTCondor.',
    v.nullish(niceness(), null),
    { examples: [10] },
  ),
  launcher: key('Words in front of the command of the script.', v.nullish(words(), ''), {
    examples: ['srun --mpi=pmix'],
  }),
  scratch: key(
    'Whether each group gets a private folder on its node, $QANAT_SCRATCH, which is removed at the end.',
    v.nullish(v.boolean('true or false'), false),
  ),
  shell: key('The shell of the job script.', v.nullish(words(), ''), { examples: ['/bin/bash --login'] }),
  max_parallel: key('At most this many groups at a time, whatever --n_threads says.', v.nullish(count(), null), {
    examples: [20],
  }),
  pack: key(
    'On a scheduler, how many groups one job has, and how many of them run at a time (slots, by default one); resources stay those of one group. null: each group is a job of its own.',
    v.nullish(pack(), null),
    { examples: [32, { groups: 32, slots: 4 }] },
  ),
} satisfies Declared<JobEnvironment>

/** A submit template; its runner knows further keys. */
export const templateSchema = key(
  'Resources and environment of a job: keys of the scheduler, and keys that are the same for every runner.',
  v.pipe(
    anyMapping(),
    v.object({
      extends: key(
        'The name of a template to extend: mappings are merged, other values are replaced, null removes a key.',
        v.nullish(text()),
        { examples: ['default'] },
      ),
      ...templateKeys,
    }),
  ),
  {
    title: 'Submit template',
    anyOf: [
      { properties: { conda: { type: 'null', errorMessage: 'not together with venv' } } },
      { properties: { venv: { type: 'null', errorMessage: 'not together with conda' } } },
    ],
  },
)

/** Values are text; null removes a variable of the extended template. */
function variables() {
  const name = v.pipe(
    v.string(),
    v.regex(VARIABLE, 'a name of letters (A-Z or a-z), digits and _, not beginning with a digit'),
  )
  return named(name, v.nullish(v.pipe(text(), v.regex(PLAIN_DOLLARS, plainDollars))))
}

/** A list of names, or a mapping from names to commands; by name the words of its command, null without one. */
function secrets() {
  const rule = 'a name of letters (A-Z or a-z), digits and _, neither PATH nor QANAT_…'
  const name = v.pipe(v.string(rule), v.regex(SECRET, rule))
  const command = v.pipe(v.array(filledWord(), 'a list of words'), v.minLength(1, 'a list of words'))
  const listed = v.pipe(
    v.array(name),
    v.transform(names => Object.fromEntries(names.map(each => [each, null]))),
  )
  const withCommands = v.pipe(
    named(name, mapping({ command: key('The words of a command that prints the value.', v.nullish(command, null)) })),
    v.transform(given => Object.fromEntries(Object.entries(given).map(([each, { command: words }]) => [each, words]))),
  )
  return v.union([listed, withCommands], 'a list of names, or a mapping from names to {command: [WORD, …]}')
}

/** Text; numbers and booleans are also accepted, since an account may be 1234. */
function text() {
  const scalar = v.union([v.string(), v.number(), v.boolean()], 'text')
  return v.pipe(scalar, v.transform(String))
}

function filledWord() {
  return v.pipe(text(), v.nonEmpty('text that is not empty'))
}

/** Text that is not empty; the empty text if nothing is given. */
function wordOrNone() {
  return v.pipe(
    v.nullish(filledWord(), null),
    v.transform(word => word ?? ''),
  )
}

function shellLines() {
  return v.string('text (shell lines)')
}

function words() {
  return v.pipe(shellWords(), v.transform(splitWords))
}

function count() {
  const expected = 'a whole number above 0'
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(1, expected))
}

/** A number of groups, or a mapping that tells the number of slots, too. */
function pack() {
  const alone = v.pipe(
    count(),
    v.transform(groups => ({ groups, slots: 1 })),
  )
  const withSlots = mapping({
    groups: key('How many groups one job has.', count(), { examples: [32] }),
    slots: key('How many of them run at a time.', v.nullish(count(), 1), { examples: [4] }),
  })
  return v.union([alone, withSlots], 'a whole number above 0, or a mapping such as {groups: 32, slots: 4}')
}

function niceness() {
  const expected = 'a whole number from 1 to 19'
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(1, expected), v.maxValue(19, expected))
}

function gpus() {
  const expected = 'a number, a part of one such as 0.5, or a type and a number such as v100:2'
  const isWhole = (count: number) => Number.isSafeInteger(count) || count < 1
  const number = v.pipe(
    v.number(expected),
    v.minValue(0, expected),
    v.check(isWhole, expected),
    v.metadata({ not: { type: 'number', minimum: 1, not: { multipleOf: 1 } } }),
  )
  const type = v.pipe(v.string(expected), v.regex(GPUS, expected))
  return v.union([number, type], expected)
}

function gpuNumbers() {
  return v.pipe(text(), v.regex(/^\d+(,\d+)*$/, 'numbers of GPUs such as 0,2'))
}

/** A number alone means megabytes, as in both schedulers; the B of `4GB` is dropped. */
function size() {
  return v.pipe(
    text(),
    v.regex(SIZE, 'a size such as 4G or 512M'),
    v.transform(written => written.replace(SIZE, (_, digits, unit = 'M') => `${digits}${unit.toUpperCase()}`)),
    v.metadata({ type: ['integer', 'string'], minimum: 0 }),
  )
}

function timeLimit() {
  return v.pipe(
    text(),
    v.regex(TIME_LIMIT, 'a time limit such as 90 (minutes), 01:30:00 or 2-00:00:00'),
    v.metadata({ type: ['integer', 'string'], minimum: 1 }),
  )
}

function withoutNulls<Mapping extends object>(
  mapping: Mapping,
): { [Key in keyof Mapping]: Exclude<Mapping[Key], null | undefined> } {
  const given = Object.entries(mapping).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(given) as ReturnType<typeof withoutNulls<Mapping>>
}
