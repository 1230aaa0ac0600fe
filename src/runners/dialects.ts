import { htcondorDialect } from './htcondor/options.js'
import { localDialect } from './local/template.js'
import { slurmDialect } from './slurm/options.js'
import type { TemplateDialect } from './template-dialect.js'

/** The dialect of each runner, by its name. */
export const dialects = {
  local: localDialect,
  slurm: slurmDialect,
  htcondor: htcondorDialect,
} satisfies Readonly<Record<string, TemplateDialect>>

/** What a runner can be called. */
export type RunnerName = keyof typeof dialects
