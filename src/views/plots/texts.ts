import type { PlotScale, PlotValue } from '../../domain/results/plot/plot.js'
import { plainLine } from '../format/displayable.js'

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

/** The categories of a scale as they are shown. */
export function labelsOf({ categories }: PlotScale): PlotValue[] {
  return categories!.map(value => (typeof value === 'string' ? plotText(value) : value))
}
