import * as v from 'valibot'
import { SIZE, sizeBytes } from '../../domain/job-environment.js'
import { type NamedInCode, namedInCode } from '../../domain/text/key-names.js'
import { filledText, key, mapping, named, nameText, optionalText, shellWords, texts } from '../yaml/schema.js'

// Each key of a context with its type, declared only here. Besides them there are the templates of each runner.

/** The keys that every context may have. */
const sharedKeys = {
  submit_template: key('The template of runs that name none.', v.nullish(filledText(), null)),
  poll_interval: key(
    'It is visited at most once in this many seconds.',
    v.optional(v.pipe(v.number('a number of seconds'), v.minValue(1, '1 or more')), 120),
  ),
  datasets: key('Where datasets lie there, by name.', v.optional(named(nameText(), filledText()), {}), {
    examples: [{ iris: '/data/iris' }],
  }),
  fetch: key(
    'Which files of groups come here by themselves; without it, those of up to 1 MB. run_fetch fetches the others.',
    v.nullish(
      v.pipe(
        mapping({
          include: key('Patterns of paths in the folder of a group: only these come; without it, all do.', texts(), {
            examples: [['*.svg', 'plots/**']],
          }),
          exclude: key('Patterns of paths that stay there.', texts(), { examples: ['*.ckpt'] }),
          max_file: key(
            'Larger files stay there. What is larger than 1 MB comes once the group has ended.',
            fileSize(),
            {
              examples: ['10M'],
            },
          ),
        }),
        v.transform(namedInCode),
      ),
      null,
    ),
    { examples: [{ include: ['*.svg'], max_file: '10M' }] },
  ),
}

const machineKeys = {
  host: key(
    'What ssh takes: an alias of ~/.ssh/config, or user@host.',
    v.pipe(filledText(), v.regex(/^[^-\s]\S*$/, 'an alias, or user@host')),
    {
      examples: ['hpc'],
    },
  ),
  root: key('A folder there for everything of ours; $NAME and ~ are expanded there.', folderThere(), {
    examples: ['$SCRATCH/qanat'],
  }),
  storage: key(
    'A folder there that lasts: jobs copy finished groups into it, where the site removes files in root; $NAME and ~ are expanded there.',
    v.nullish(folderThere(), null),
    { examples: ['$HOME/results'] },
  ),
  purge: key('How long the site leaves files in root: told a week before.', v.nullish(purgeTime(), null), {
    examples: ['30d', '8w'],
  }),
  runner: key('The runner of runs that name none.', v.optional(filledText(), 'local'), { examples: ['slurm'] }),
  shell: key('The shell that knows where programs are, if it is not sh.', v.optional(shellWords(), ''), {
    examples: ['bash -l'],
  }),
  login: key(
    'What a login needs.',
    v.optional(
      mapping({
        before: key('A shell command that runs on the terminal before each login.', optionalText(), {
          examples: ['step ssh login ada@example.org'],
        }),
      }),
      {},
    ),
    { examples: [{ before: 'step ssh login ada@example.org' }] },
  ),
  ...sharedKeys,
  prepare: key(
    'Shell commands that run in a frozen copy there before the first group, once for each commit.',
    texts(),
    { examples: ['uv sync --frozen'] },
  ),
  prepare_inputs: key(
    'Files and patterns, such as uv.lock. Copies there in which these files are equal share one preparation.',
    texts(),
    { examples: [['uv.lock']] },
  ),
  prepare_on: key(
    'Where they run: login, on the machine that is logged in to, or job, in a job of the template of the run, or of another one.',
    v.optional(
      v.union(
        [v.picklist(['login', 'job']), mapping({ job: key('The template of the job.', filledText()) })],
        'login, job, or {job: TEMPLATE}',
      ),
      'login',
    ),
    { examples: ['job', { job: 'short' }] },
  ),
}

const clusterKeys = {
  cluster: key(
    'A namespace of a Kubernetes cluster, and the context of kubectl that reaches it; what is not said is as kubectl has it now.',
    mapping({
      context: key('A context of kubectl.', v.nullish(plainWord(), null), { examples: ['gke_sandbox'] }),
      namespace: key(
        'A namespace. A launch makes it if it is missing, and if you may.',
        v.nullish(nameOfObject(), null),
        { examples: ['iris'] },
      ),
    }),
    { examples: [{ context: 'gke_sandbox', namespace: 'iris' }] },
  ),
  runner: key('The runner: kubernetes.', v.optional(v.literal('kubernetes', 'kubernetes'), 'kubernetes')),
  results: key(
    'Where results go: volume, a claim that pods on all nodes can write; node, one that those of a single node can write: all pods are on that node; log, without a claim: through the logs of pods.',
    v.optional(v.picklist(['volume', 'node', 'log'], 'volume, node or log'), 'volume'),
  ),
  volume: key(
    'The claim for all that runs read and write; none with results: log.',
    v.nullish(
      mapping({
        claim: key('Its name.', nameOfObject(), { examples: ['scratch'] }),
        path: key(
          'Where pods mount it.',
          v.optional(v.pipe(filledText(), v.regex(/^\/[^/].*$/, 'an absolute path')), '/qanat'),
          { examples: ['/scratch'] },
        ),
        size: key('How large it is made if it is missing.', v.nullish(filledText(), null), { examples: ['40Gi'] }),
        class: key('The class of storage of which it is made then.', v.nullish(filledText(), null), {
          examples: ['shared'],
        }),
      }),
      null,
    ),
    { examples: [{ claim: 'scratch', path: '/scratch' }] },
  ),
  courier: key('The image of the pod that moves files: it needs sh and tar.', v.optional(plainWord(), 'busybox:1.36'), {
    examples: ['busybox:1.36'],
  }),
  user: key(
    'The number of the user that pods run as; null: as the namespace says.',
    v.optional(v.nullable(v.pipe(v.number('a number'), v.integer('a number'), v.minValue(0, '0 or more'))), 1000),
    { examples: [1000] },
  ),
  ...sharedKeys,
}

/** The keys of a context that is another machine. */
export function machineMapping() {
  return mapping(machineKeys)
}

/** The keys of a context that is a namespace of a cluster. */
export function clusterMapping() {
  return mapping(clusterKeys)
}

/** The same in code. */
export type MachineKeys = Readonly<NamedInCode<v.InferOutput<ReturnType<typeof machineMapping>>>>
export type ClusterKeys = Readonly<NamedInCode<v.InferOutput<ReturnType<typeof clusterMapping>>>>

/** A path that is expanded there. */
function folderThere() {
  return v.pipe(filledText(), v.regex(/^[/~$]/, 'an absolute path, or one with ~ or $NAME at its beginning'))
}

/** In milliseconds. */
function purgeTime() {
  const day = 86_400_000
  return v.pipe(
    v.string('days or weeks, such as 30d or 8w'),
    v.regex(/^[1-9]\d*[dw]$/, 'days or weeks, such as 30d or 8w'),
    v.transform(text => Number.parseInt(text, 10) * (text.endsWith('w') ? 7 * day : day)),
  )
}

/** In bytes. */
function fileSize() {
  const size = v.pipe(
    v.union([v.string(), v.number()], 'a size such as 10M or 2G'),
    v.transform(String),
    v.regex(SIZE, 'a size such as 10M or 2G'),
    v.transform(text => sizeBytes(text) ?? 0),
    v.metadata({ type: ['integer', 'string'], minimum: 0 }),
  )
  return v.optional(size, '1M')
}

/** A word that no program takes for an option. */
function plainWord() {
  return v.pipe(filledText(), v.regex(/^[^-\s]\S*$/, 'a word'))
}

/** The name of an object of Kubernetes. */
function nameOfObject() {
  const rule = 'a name of small letters, digits and -, at most 63'
  return v.pipe(filledText(), v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, rule))
}
