import Table from 'cli-table3'

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** Columns aligned under their headings, two spaces apart, nothing cut. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = new Table({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  cells.push([...headings], ...rows.map(row => [...row]))
  return cells
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}
