/** The colours of a plot that depend on what is behind it. */
export interface Ground {
  /** Null if what is behind it shows. */
  readonly back: string | null
  /** Of texts, and of the error bars of bars. */
  readonly text: string
  /** Around the error bars of bars. */
  readonly halo: string
  readonly line: string
  readonly grid: string
  readonly ink: string
}

/** On paper, and wherever nobody knows better. */
export const onPaper: Ground = {
  back: 'white',
  text: '#222',
  halo: 'white',
  line: '#555',
  grid: '#e6e6e6',
  ink: '#000000',
}
/** On screens, whose own colour is behind the picture. */
export const onLight: Ground = { ...onPaper, back: null }
export const onDark: Ground = {
  back: null,
  text: '#d6d6d3',
  halo: '#1b1d20',
  line: '#8a8e95',
  grid: '#2f3237',
  ink: '#e6e6e3',
}

/** The colours of Okabe and Ito, which everybody can tell apart; the lightest ones, which fade in print, come last. */
const okabeIto = (ink: string) => ['#0072B2', '#D55E00', '#009E73', '#CC79A7', ink, '#E69F00', '#56B4E9', '#B3A500']

/** Beyond the number of colours, and in print without colours, these tell categories apart. */
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-right']
const dashes = [[], [6, 2], [2, 2], [8, 2, 2, 2], [1, 3]]

/** The colours, shapes and dashes for this many categories; for up to 40, no two are the same. */
export function distinctMarks(count: number, ink: string): { colors: string[]; shapes: string[]; dashes: number[][] } {
  const each = <Item>(items: readonly Item[]) => Array.from({ length: count }, (_, at) => items[at % items.length]!)
  return { colors: each(okabeIto(ink)), shapes: each(shapes), dashes: each(dashes) }
}

/** The colour of a plot with one. */
export const onlyColor = '#0072B2'

/** Colours for numbers: even in their lightness, without the yellow end, which fades on paper. */
export const numberColors = { name: 'viridis', extent: [0, 0.9] } as const

/** More bars side by side than there are colours have such colours, since bars have neither shapes nor dashes. */
export const mostBarColors = okabeIto('').length

/** Fonts that journals ask for, then what Linux has in their place. */
const font = 'Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif'

/** Text of 8 points, as papers ask for, in pixels of which there are 96 to an inch. */
const size = 10.67

/** How many letters fit into a space, in pixels. */
export function lettersIn(space: number): number {
  return 2 * (Math.floor(space / size / 0.66 / 2) - 1) + 1
}

/**
 * Longer labels are cut in the middle, since the ends of names often tell them apart; if they do not, at another place.
 * @param limit in pixels
 */
export function cutLabels(limit: number, labels: readonly (number | string)[]) {
  const kept = lettersIn(limit) - 1
  const parts = partsThatDiffer(labels.map(String), kept).map(range => `slice(datum.label, ${range.join(', ')})`)
  return {
    labelLimit: limit,
    labelExpr: `length(datum.label) > ${kept + 1} ? ${parts.join(" + '…' + ")} : datum.label`,
  }
}

type Part = readonly [from: number, to?: number]

/**
 * The parts that stay of labels with more than one character beyond those kept, so that different ones stay different: the
 * beginning and the end, as equally long as possible, or else a part between them; if nothing helps, two halves.
 */
function partsThatDiffer(labels: readonly string[], kept: number): readonly Part[] {
  const isLong = (label: string) => label.length > kept + 1
  const shortest = Math.min(...labels.filter(isLong).map(({ length }) => length))
  const differ = (parts: readonly Part[]) => {
    const shown = labels.map(label => (isLong(label) ? parts.map(part => label.slice(...part)).join('…') : label))
    return new Set(shown).size === new Set(labels).size
  }
  const half = kept / 2
  const ends = (begin: number): Part[] => [[0, begin], [begin - kept]]
  if (differ(ends(half))) return ends(half)
  for (let more = 1; more < half; more++) {
    for (const begin of [half + more, half - more]) if (differ(ends(begin))) return ends(begin)
  }
  for (let from = 1; from + kept <= shortest; from++) {
    const between: Part[] = [
      [0, 0],
      [from, from + kept - 1],
      [0, 0],
    ]
    if (differ(between)) return between
  }
  return ends(half)
}

/** The looks of all plots. @param width of the whole, in pixels */
export function plotConfig(width: number, { back, text, line, grid }: Ground) {
  const words = {
    labelFontSize: size,
    titleFontSize: size,
    titleFontWeight: 'normal',
    labelColor: text,
    titleColor: text,
  }
  return {
    // Vega-Lite puts titles into the expressions of labels for screen readers, in which a backslash would be an escape.
    aria: false,
    ...{ font, background: back, padding: 4, view: { stroke: null } },
    axis: {
      ...{ ...words, titlePadding: 6, labelOverlap: 'greedy', tickSize: 4 },
      ...{ domainColor: line, tickColor: line, gridColor: grid },
    },
    // Vega would name 30 of them.
    legend: { ...words, titleLimit: width * 0.3, symbolSize: 50, symbolLimit: 100, gradientThickness: 10 },
    header: { ...words, labelPadding: 4 },
    title: { fontSize: size, fontWeight: 'normal', color: text },
  }
}
