// What Kubernetes tells of its objects, as far as it is read here. Times are ISO 8601 in UTC.

/** A condition of a pod or a job. */
export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

interface Terminated {
  readonly exitCode: number
  readonly signal?: number
  readonly reason?: string
  readonly message?: string
  readonly startedAt?: string | null
  readonly finishedAt?: string | null
}

export interface ContainerStatus {
  readonly name: string
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string }
    readonly running?: { readonly startedAt?: string }
    readonly terminated?: Terminated
  }
  readonly lastState?: { readonly terminated?: Terminated }
}

interface Metadata {
  readonly name: string
  readonly uid?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
}

export interface Pod {
  readonly kind: 'Pod'
  readonly metadata: Metadata
  readonly spec?: { readonly nodeName?: string }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly message?: string
    readonly conditions?: readonly Condition[]
    readonly containerStatuses?: readonly ContainerStatus[]
  }
}

export interface Job {
  readonly kind: 'Job'
  readonly metadata: Metadata
  readonly spec?: {
    readonly suspend?: boolean /** How many pods it has at a time; one if it is missing. */
    readonly parallelism?: number
  }
  readonly status?: {
    readonly active?: number
    readonly failed?: number
    readonly conditions?: readonly Condition[]
  }
}

export interface Event {
  readonly kind: 'Event'
  readonly involvedObject: { readonly kind: string; readonly name: string }
  readonly type?: string
  readonly reason?: string
  readonly message?: string
}

/** The condition of that type, if it holds. */
export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | null {
  return conditions?.find(each => each.type === type && each.status === 'True') ?? null
}
