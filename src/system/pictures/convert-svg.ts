import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OperationError } from '../../errors.js'
import { hasProgram, runProgram } from '../programs.js'
import { inTemporaryFolder } from '../temporary-folder.js'

/** A program that makes pictures of SVG. */
interface Converter {
  readonly program: string
  /** Its arguments, for absolute paths. @param size of the picture, in pixels of CSS */
  readonly words: (paths: Paths, format: 'png' | 'pdf', size: Size) => string[]
}

interface Paths {
  readonly svg: string
  readonly page: string
  readonly picture: string
  /** An empty folder. */
  readonly profile: string
}

interface Size {
  readonly width: number
  readonly height: number
}

/** How many pixels of a PNG stand for one pixel of CSS, so that there are 300 to the inch, as papers ask for. */
const zoom = 300 / 96

const rsvg: Converter = {
  program: 'rsvg-convert',
  words: ({ svg, picture }, format) => {
    const size = format === 'png' ? ['--zoom', String(zoom)] : ['--dpi-x', '96', '--dpi-y', '96']
    return ['--format', format, ...size, '--output', picture, svg]
  },
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  (program): Converter => ({
    program,
    words: ({ page, picture, profile }, format, { width, height }) => [
      ...['--headless', '--hide-scrollbars', '--disable-gpu', `--user-data-dir=${profile}`],
      // Its sandbox does not work for root, and the page holds nothing but the picture.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(format === 'png'
        ? [`--screenshot=${picture}`, `--window-size=${width},${height}`, `--force-device-scale-factor=${zoom}`]
        : [`--print-to-pdf=${picture}`, '--no-pdf-header-footer']),
      pathToFileURL(page).href,
    ],
  }),
)

/** Makes a picture of SVG with the first program that is there. @throws OperationError that says which to install */
export async function convertSvg(svg: string, format: 'png' | 'pdf'): Promise<Uint8Array> {
  const converter = [rsvg, ...browsers].find(({ program }) => hasProgram(program))
  if (!converter) {
    throw new OperationError(
      `no program to make ${format.toUpperCase()} is in the PATH: neither rsvg-convert nor chromium`,
      'apt-get install librsvg2-bin        (macOS: brew install librsvg), or write .svg',
    )
  }
  const [, width = '0', height = '0'] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []
  const size = { width: Math.ceil(Number(width)), height: Math.ceil(Number(height)) }
  return inTemporaryFolder(async folder => {
    const names = { svg: 'plot.svg', page: 'plot.html', picture: `plot.${format}`, profile: 'profile' }
    const paths = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, join(folder, name)]))
    const { svg: source, page, picture } = paths as unknown as Paths
    writeFileSync(source, svg)
    writeFileSync(page, pageOf(svg, size))
    const words = [converter.program, ...converter.words(paths as unknown as Paths, format, size)]
    const { exitCode, stderr } = await runProgram(words, { cwd: folder, timeout: 120_000 })
    try {
      return readFileSync(picture)
    } catch {
      throw new OperationError(
        `${converter.program} made no ${format.toUpperCase()} (exit ${exitCode}): ${stderr.split('\n').at(-1)}`,
        'write .svg, which needs no other program',
      )
    }
  })
}

/** As large as the picture, on paper too. */
function pageOf(svg: string, { width, height }: Size): string {
  const style = `@page { size: ${width}px ${height}px; margin: 0 } body { margin: 0 } svg { display: block }`
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${svg}`
}
