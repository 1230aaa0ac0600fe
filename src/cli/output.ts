/** Where a command prints its own messages, and where its scripts print. */
export interface Output {
  print(text: string): void
  /** Says what was done, unless it is to be quiet. */
  say(text: string): void
  readonly quiet: boolean
  readonly scriptOutput: 'stdout' | 'stderr'
}
