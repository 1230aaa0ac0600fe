import { resolve } from 'node:path'
import { UserError } from '../../errors.js'
import { convertSvg } from '../../system/pictures/convert-svg.js'
import { readRegular } from '../../system/regular-file.js'
import type { FigureFormat } from '../../views/plots/figure.js'
import type { Recorded } from '../../views/plots/record.js'
import type { Workspace } from '../workspace.js'
import { saveOutput } from './output-file.js'

/** Writes a plot to a file, in place of an earlier one. @param path relative to the folder of the user, or absolute */
export async function saveFigure(
  workspace: Workspace,
  path: string,
  format: FigureFormat,
  svg: string,
  recorded: Recorded,
): Promise<void> {
  const content = format.picture === null ? Buffer.from(svg) : await convertSvg(svg, format.picture)
  saveOutput(workspace, path, format.finish(content, recorded))
}

/** The text of a plot, with characters in the place of bytes that are none. @param path relative to the folder of the user, or absolute */
export function readFigure({ cwd }: Workspace, path: string): string {
  const figure = readRegular(resolve(cwd, path))
  if (figure === null) throw new UserError(`${path} is no file that can be read`, 'give the path of a plot of Qanat')
  return figure
}
