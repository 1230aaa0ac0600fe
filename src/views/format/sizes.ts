/** `1.2 GB`: decimal units, as disks are sold. */
export function byteText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** `1.9 G`, `2 G`: memory in the units of templates, which are powers of 1024. */
export function memoryText(bytes: number): string {
  const power = bytes < 1024 ** 2 ? 1 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  const number = bytes / 1024 ** power
  return `${Number.isInteger(number) || number >= 100 ? Math.round(number) : number.toFixed(1)} ${' KMGT'[power]}`
}
