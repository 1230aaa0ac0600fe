import type { PlotScale, PlotValue } from '../../domain/results/plot/plot.js'
import { plainLine } from '../format/displayable.js'
import { lettersIn } from './style.js'

const longestTitle = 60

/** Text on one line, without characters that XML does not allow: control characters, and halves of characters. */
export function plotText(text: string): string {
  const line = plainLine(text).replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g,
    '\ufffd',
  )
  // Vega takes names that every object has, such as `constructor`, for its own; a blank at the end does not show.
  return line in {} ? `${line} ` : line
}

/** What stands at an axis or a legend. */
export function titleOf({ title }: PlotScale): string {
  const characters = [...plotText(title)]
  return characters.length > longestTitle ? `${characters.slice(0, longestTitle - 1).join('')}…` : characters.join('')
}

/** The names of what colours distinguish, on as many lines as they need. @param space in pixels */
export function legendTitle({ title }: PlotScale, space: number): string | string[] {
  const most = lettersIn(space)
  const lines: string[] = []
  for (const name of plotText(title).split(/(?<=,) /)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + name.length <= most) lines.splice(-1, 1, `${last} ${name}`)
    else lines.push(name)
  }
  return lines.length > 1 ? lines : lines[0]!
}

/** The categories of a scale as they are shown. */
export function labelsOf({ categories }: PlotScale): PlotValue[] {
  return categories!.map(value => (typeof value === 'string' ? plotText(value) : value))
}
