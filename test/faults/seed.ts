/** What the random inputs of a suite come from: always the same, so that a change is judged by what it did, or `QANAT_SEED`. */
export const seed = Number(process.env.QANAT_SEED ?? 1)

/** Says what a suite has tried. */
export function tell(count: number, what: string): void {
  console.log(`${count.toLocaleString('en')} ${what} (QANAT_SEED=${seed})`)
}
