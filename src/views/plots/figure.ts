import { createHash } from 'node:crypto'
import { displayCommand } from '../../domain/text/shell-text.js'
import { UserError } from '../../errors.js'
import { escapedHtml } from '../render/html.js'
import { pngWithText } from './png.js'
import { type Recorded, recordLine, sealable } from './record.js'
import { sealedFile } from './seal.js'

/** How a plot becomes a file. */
export interface FigureFormat {
  /** What another program has to make of the SVG first; null if nothing. */
  readonly picture: 'png' | 'pdf' | null
  /** @param content the SVG, or the bytes of the picture @returns the file, which holds the record of the plot */
  readonly finish: (content: Uint8Array, recorded: Recorded) => string | Uint8Array
}

/** The formats of figures, by the ends of the names of files. */
const formats: Readonly<Record<string, FigureFormat>> = {
  svg: { picture: null, finish: svgFigure },
  png: { picture: 'png', finish: (png, recorded) => pngWithText(png, 'qanat', recordLine(recorded)) },
  pdf: { picture: 'pdf', finish: pdfFigure },
  html: { picture: null, finish: htmlFigure },
  'vl.json': { picture: null, finish: (_, recorded) => `${JSON.stringify(sealable(recorded), null, 1)}\n` },
}

/** The format of a file of that name. @throws UserError for an unknown one */
export function figureFormat(file: string): FigureFormat {
  const end = Object.keys(formats).find(each => file.endsWith(`.${each}`))
  if (end !== undefined) {
    const { picture, finish } = formats[end]!
    return { picture, finish: (content, recorded) => sealedFile(finish(content, recorded)) }
  }
  throw new UserError(`-o ${file}: there is no such format`, `end the name with .${Object.keys(formats).join(', .')}`)
}

function svgFigure(svg: Uint8Array, recorded: Recorded): string {
  const metadata = `<metadata id="qanat">\n${recordLine(recorded)}</metadata>`
  // After the first tag, which Vega writes without `>` in its attributes.
  return `${Buffer.from(svg)
    .toString('utf8')
    .replace('>', () => `>${metadata}`)}\n`
}

/** In a comment behind the end, as in an update without changes: the end is said again. */
function pdfFigure(pdf: Uint8Array, recorded: Recorded): Uint8Array {
  const [, start = '0'] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(Buffer.from(pdf).toString('latin1')) ?? []
  return Buffer.concat([pdf, Buffer.from(`\n%${recordLine(recorded)}startxref\n${start}\n%%EOF\n`)])
}

const style = `figure { margin: 1rem; } svg { max-width: 100%; height: auto; }
figcaption { margin-top: 1rem; color: #555; font: 0.85rem monospace; overflow-wrap: anywhere; }`

function htmlFigure(svg: Uint8Array, recorded: Recorded): string {
  const command = escapedHtml(displayCommand(['qanat', 'plot', ...recorded.usermeta.qanat.command]))
  const hash = createHash('sha256').update(style).digest('base64')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width">
<title>${command}</title>
<style>${style}</style>
<figure>
${svgFigure(svg, recorded)}<figcaption>${command}</figcaption>
</figure>
</html>
`
}
