/** Where nobody sees a line change, it is written once if the work takes this long, in milliseconds. */
const longWork = 5_000

/** A line that shows how far work is: the next text replaces it, and null takes it away. */
export function progressLine(stream: NodeJS.WriteStream): (text: string | null) => void {
  let begun: number | null = null
  let isWritten = false
  return text => {
    if (stream.isTTY) stream.write(`\r\x1b[2K${text?.slice(0, (stream.columns || 80) - 1) ?? ''}`)
    begun = text === null ? null : (begun ?? performance.now())
    if (stream.isTTY || begun === null || isWritten || performance.now() - begun < longWork) return
    stream.write(`${text}\n`)
    isWritten = true
  }
}
