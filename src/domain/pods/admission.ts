import { UserError } from '../../errors.js'

type Amounts = Readonly<Record<string, string>>

/** A quota of a namespace, as Kubernetes tells it. */
export interface ResourceQuota {
  readonly kind: 'ResourceQuota'
  readonly metadata: { readonly name: string }
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts }
}

/** What containers of a namespace get that ask for nothing, as Kubernetes tells it. */
interface LimitRange {
  readonly kind: 'LimitRange'
  readonly spec: {
    readonly limits: readonly { readonly type: string; readonly default?: Amounts; readonly defaultRequest?: Amounts }[]
  }
}

/** What a namespace demands of pods, and how many jobs it lets somebody make. */
export interface Admission {
  /** How many more jobs there may be; infinite without a quota on them. */
  readonly jobs: number
  /** The quota that demands something of each pod, by what that is, as in `limits.cpu`. */
  readonly demands: Amounts
  /** The requests and limits of containers that have none, by resource. */
  readonly requests: Amounts
  readonly limits: Amounts
}

/** That of a namespace without quotas. */
export const freeAdmission: Admission = { jobs: Number.POSITIVE_INFINITY, demands: {}, requests: {}, limits: {} }

/** What a pod has to say where a quota counts it. Older names mean the request. No quota demands other resources. */
const demanded: Amounts = {
  ...{ cpu: 'requests.cpu', 'requests.cpu': 'requests.cpu', 'limits.cpu': 'limits.cpu' },
  ...{ memory: 'requests.memory', 'requests.memory': 'requests.memory', 'limits.memory': 'limits.memory' },
}

/** The key of a quota that counts jobs. */
const jobCount = 'count/jobs.batch'

/** Reads quotas and ranges of limits. One that is for some pods only counts as one for all. */
export function admissionOf(objects: readonly (ResourceQuota | LimitRange)[]): Admission {
  const quotas = objects.filter(object => object.kind === 'ResourceQuota')
  const ranges = objects.filter(object => object.kind === 'LimitRange')
  const rooms = quotas.flatMap(({ status: { hard = {}, used = {} } = {} }) =>
    hard[jobCount] === undefined ? [] : [amountOf(hard[jobCount]) - amountOf(used[jobCount] ?? '0')],
  )
  const demands = quotas.flatMap(({ metadata, status }) =>
    Object.keys(status?.hard ?? {}).flatMap(key =>
      Object.hasOwn(demanded, key) ? [[demanded[key]!, metadata.name]] : [],
    ),
  )
  const containers = ranges.flatMap(({ spec }) => spec.limits).filter(({ type }) => type === 'Container')
  return {
    jobs: Math.min(...rooms, Number.POSITIVE_INFINITY),
    demands: Object.fromEntries(demands),
    requests: Object.assign({}, ...containers.map(({ defaultRequest }) => defaultRequest)),
    limits: Object.assign({}, ...containers.map(each => each.default)),
  }
}

/** The keys of a template that ask for these. */
const templateKeys: Amounts = { cpu: 'cpus: 1', memory: 'memory: 4G' }

/**
 * The limits with which a namespace admits a container: one that is demanded is the request.
 * @throws UserError if something is demanded for which the template asks nothing
 */
export function admittedLimits(
  { requests, limits }: { readonly requests: Amounts; readonly limits: Amounts },
  given: Admission,
): Amounts {
  const more: Record<string, string> = {}
  for (const name of Object.keys(templateKeys)) {
    const [request, limit] = [requests[name], given.limits[name]]
    if (request === undefined) {
      const isGiven = (key: string) => limit !== undefined || (key === 'requests' && given.requests[name] !== undefined)
      const key = ['limits', 'requests'].find(each => given.demands[`${each}.${name}`] !== undefined && !isGiven(each))
      if (key !== undefined)
        throw new UserError(
          `the quota ${given.demands[`${key}.${name}`]} of the namespace demands ${key}.${name} of each pod, and the submit template asks for none`,
          `add it to the submit template, as in resources: {${templateKeys[name]}}`,
        )
    } else if (
      limit === undefined ? given.demands[`limits.${name}`] !== undefined : amountOf(limit) < amountOf(request)
    )
      more[name] = request
  }
  return { ...more, ...limits }
}

const powers: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
}

/** A quantity of Kubernetes, as in `500m`, `2Gi` or `1e3`, as a number. */
function amountOf(quantity: string): number {
  const [, number, power] = /^(.*?)([numkMGTPE]i?|Ki)?$/.exec(quantity)!
  return Number(number) * (power === undefined ? 1 : powers[power]!)
}

/** What a server says that has refused a job for a quota on their number, in words; null if it has refused for something else. */
export function jobQuotaText(refusal: string): string | null {
  const pattern =
    /exceeded quota: ([^,\s]+), requested: count\/jobs\.batch=[^,\s]+, used: count\/jobs\.batch=([^,\s]+), limited: count\/jobs\.batch=([^,\s]+)/
  const [, quota, used, limited] = pattern.exec(refusal) ?? []
  return quota === undefined ? null : `the quota ${quota} has ${used} of ${limited} jobs (${jobCount})`
}

/** A quota in words, as in `q: pods 3 of 10, limits.cpu 4 of 4`, and those of its keys that are used up. */
export function quotaText({ metadata, status: { hard = {}, used = {} } = {} }: ResourceQuota) {
  const rooms = Object.entries(hard).map(([key, most]) => ({ key, most, now: used[key] ?? '0' }))
  return {
    text: `${metadata.name}: ${rooms.map(({ key, most, now }) => `${key} ${now} of ${most}`).join(', ')}`,
    full: rooms.flatMap(({ key, most, now }) => (amountOf(now) >= amountOf(most) ? key : [])),
  }
}
