import type { RunPlan } from '../domain/runs/run-plan.js'
import { quoteWord } from '../domain/text/shell-text.js'

/**
 * Shell words that stand before a command so that it runs in the plan's container; empty without one. The project, the
 * run and the datasets are there under the same paths, and the working folder is the same.
 */
export function containerWords({ container, boundPaths, workingDirectory }: RunPlan): string[] {
  if (!container) return []
  const image = quoteWord(container.image)
  const folder = quoteWord(workingDirectory)
  if (container.kind === 'apptainer') {
    const binds = boundPaths.map(path => `--bind ${quoteWord(path)}`)
    return [
      '"$qanat_engine" --quiet',
      '"$qanat_verb"',
      ...(container.gpu ? ['--nv'] : []),
      ...binds,
      `--pwd ${folder}`,
      image,
    ]
  }
  const binds = boundPaths.map(path => `--volume ${quoteWord(`${path}:${path}`)}`)
  const gpu = container.gpu ? ['--gpus all'] : []
  return [
    '"$qanat_engine" run --rm --name "$qanat_container" $qanat_user',
    '--env-file "$qanat_variables"',
    ...gpu,
    ...binds,
    `--workdir ${folder}`,
    image,
  ]
}

/** Shell functions: `qanat_enter` finds the program that runs containers, `qanat_leave` ends what it has left. */
export function containerFunctions({ container, token }: RunPlan): string {
  if (!container) return ''
  return container.kind === 'apptainer' ? apptainer(quoteWord(container.image)) : docker(token)
}

/** `run`, as the older program did; `exec` where the image has no script of its own, which Apptainer then says itself. */
function apptainer(image: string): string {
  return `qanat_enter() {
  qanat_engine=$(command -v apptainer || command -v singularity) || {
    echo "qanat: there is neither apptainer nor singularity on $qanat_host" >&2
    return 1
  }
  qanat_runscript=$("$qanat_engine" inspect --runscript ${image}) || return
  case $qanat_runscript in
    '' | *'There is no runscript defined'*) qanat_verb=exec ;;
    *) qanat_verb=run ;;
  esac
}
qanat_leave() { :; }
`
}

/** A container of Docker outlives the program that was killed: it is ended by its name. */
function docker(token: string): string {
  return `qanat_enter() {
  qanat_engine=
  # A client of Docker may be there without its daemon.
  for qanat_candidate in docker podman; do
    [ -n "$qanat_engine" ] || ! "$qanat_candidate" version >/dev/null 2>&1 || qanat_engine=$qanat_candidate
  done
  if [ -z "$qanat_engine" ]; then
    echo "qanat: neither docker nor podman answers on $qanat_host" >&2
    return 1
  fi
  qanat_container=qanat-${token}-$qanat_index
  # What is written belongs to the user. Podman of an ordinary user maps users, and would map them away.
  qanat_user="--user $(id -u):$(id -g)"
  case $qanat_engine:$(id -u) in
    podman:0) qanat_user= ;;
    podman:*) qanat_user=--userns=keep-id ;;
  esac
  qanat_variables=$qanat_run/.run/variables_$qanat_index
  env | grep '^QANAT_' | grep -v '^QANAT_NEWLINE=' >"$qanat_variables"
}
qanat_leave() {
  # Killed first: Podman gives what it removes ten seconds.
  "$qanat_engine" kill "$qanat_container" >/dev/null 2>&1
  "$qanat_engine" rm --force "$qanat_container" >/dev/null 2>&1
  rm -f "$qanat_variables"
}
`
}
