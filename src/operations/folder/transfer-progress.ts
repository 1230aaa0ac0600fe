/**
 * Tells how far a transfer is, in as many steps as can be seen.
 * @param what is done, as in `Fetching run 3`
 * @returns what is told how many bytes of how many are done
 */
export function transferProgress(show: (text: string) => void, what: string): (done: number, total: number) => void {
  let last = ''
  return (done, total) => {
    const [now, all] = [done, total].map(bytes => (bytes / 1e6).toFixed(total < 1e8 ? 1 : 0))
    const text = `${what}: ${now} of ${all} MB`
    if (total > 0 && text !== last) show(text)
    last = text
  }
}
