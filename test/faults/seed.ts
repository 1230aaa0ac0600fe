/** What the random inputs of a suite come from; `QANAT_SEED` repeats those of an earlier one. */
export const seed = Number(process.env.QANAT_SEED ?? Date.now() % 2 ** 31)

/** Says what a suite has tried. */
export function tell(count: number, what: string): void {
  console.log(`${count.toLocaleString('en')} ${what} (QANAT_SEED=${seed})`)
}
