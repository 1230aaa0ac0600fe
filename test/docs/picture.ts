/** What a terminal shows: a command, and the lines below it with the escape codes that colour them. */
export interface Frame {
  readonly command: string
  readonly lines: readonly string[]
}

const size = { width: 8.4, height: 19, margin: 14 }
/** The colours of a dark terminal, by their codes. */
const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#f2cc60',
  '34': '#79c0ff',
  '35': '#d2a8ff',
  '36': '#76e3ea',
  '90': '#8b949e',
}

const styles = `text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3 }
.d { fill: #8b949e } .b { font-weight: bold } .p { fill: #7ee787 } g { opacity: 0 }`

/**
 * A picture in which one frame follows the other: each shows its command first, and a second later all of it.
 * @param columns width of the terminal
 */
export function movingPicture(frames: readonly Frame[], columns: number): string {
  const rows = Math.max(...frames.map(({ lines }) => lines.length)) + 1
  const [width, height] = [columns * size.width + 2 * size.margin, rows * size.height + 2 * size.margin]
  // Longer texts are shown longer.
  const pauses = frames.map(({ lines }) => 3 + lines.length / 3)
  const total = pauses.reduce((sum, pause) => sum + pause, 0)
  let begin = 0
  const parts = frames.map(({ command, lines }, at) => {
    const end = begin + pauses[at]!
    const shown = lines.map((line, row) => textOf(spansOf(line), row + 1)).join('')
    const part = [
      appearing(
        `c${at}`,
        begin / total,
        end / total,
        total,
        textOf(`<tspan class="p">$</tspan> ${escaped(command)}`, 0),
      ),
      appearing(`o${at}`, (begin + 1) / total, end / total, total, shown),
    ]
    begin = end
    return part.join('')
  })
  // Whoever wants nothing to move sees the last frame.
  const still = `@media (prefers-reduced-motion) { g { animation: none !important } #c${frames.length - 1}, #o${frames.length - 1} { opacity: 1 } }`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" width="${round(width)}" height="${height}">
<style>${styles}\n${still}</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${parts.join('')}</svg>
`
}

function appearing(id: string, begin: number, end: number, total: number, content: string): string {
  const [from, to] = [begin, end].map(part => `${round(100 * part)}%`) as [string, string]
  const steps = `0% { opacity: 0 } ${from} { opacity: 1 } ${to} { opacity: 0 }`
  const animation = `animation: ${id} ${round(total)}s step-end infinite`
  return `<style>@keyframes ${id} { ${steps} }</style>\n<g id="${id}" style="${animation}">\n${content}</g>\n`
}

function textOf(spans: string, row: number): string {
  const length = textIn(spans).length
  if (length === 0) return ''
  const y = size.margin + (row + 0.75) * size.height
  const width = `textLength="${round(length * size.width)}"`
  return `<text xml:space="preserve" x="${size.margin}" y="${round(y)}" ${width}>${spans}</text>\n`
}

/** A line with its escape codes as coloured pieces. */
function spansOf(line: string): string {
  const active = new Set<string>()
  return line
    .split(/(\x1b\[[\d;]*m)/)
    .map(piece => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(piece)?.[1]
      if (codes === undefined) return span(piece, active)
      for (const code of codes.split(';')) change(active, code)
      return ''
    })
    .join('')
}

function change(active: Set<string>, code: string): void {
  if (code === '' || code === '0') active.clear()
  else if (code === '22') for (const weight of ['1', '2']) active.delete(weight)
  else if (code === '39') for (const colour of Object.keys(colours)) active.delete(colour)
  else active.add(code)
}

function span(text: string, active: ReadonlySet<string>): string {
  if (text === '') return ''
  const classes = [active.has('2') && 'd', active.has('1') && 'b'].filter(Boolean).join(' ')
  const colour = [...active].map(code => colours[code]).find(Boolean)
  const attributes = [classes && `class="${classes}"`, colour && `fill="${colour}"`].filter(Boolean)
  return attributes.length === 0 ? escaped(text) : `<tspan ${attributes.join(' ')}>${escaped(text)}</tspan>`
}

const round = (value: number) => Number(value.toFixed(2))

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function textIn(spans: string): string {
  const text = spans.replace(/<[^>]*>/g, '')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** The texts of the frames of a {@link movingPicture}: a command, and what is below it. */
export function framesIn(picture: string): { readonly command: string; readonly output: string }[] {
  const groups = [...picture.matchAll(/<g id="([co])\d+"[^>]*>\n([\s\S]*?)<\/g>/g)]
  const texts = groups.map(([, , content]) =>
    [...content!.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(line => textIn(line[1]!)),
  )
  return texts.flatMap((lines, at) =>
    at % 2 === 0 ? { command: lines[0]!.slice(2), output: texts[at + 1]!.join('\n') } : [],
  )
}
