/** Numbers of the tasks that an id names: `36_7`, or `36_[1,3-9%4]` for those that have never started. */
export function tasksOf(id: string): number[] {
  if (/^\d+_\d+$/.test(id)) return [Number(id.slice(id.indexOf('_') + 1))]
  const [, list = ''] = /^\d+_\[([\d,-]+)(?:%\d+)?\]$/.exec(id) ?? []
  return list.split(',').flatMap(part => {
    const [first, last = first] = part.split('-').map(Number)
    if (!part || first === undefined || last === undefined) return []
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  })
}
