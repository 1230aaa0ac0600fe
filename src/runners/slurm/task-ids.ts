/** Numbers of the tasks that an id names: `36_7`, or `36_[1,3-9%4]` for those that have never started. */
export function tasksOf(id: string): number[] {
  const [, single, list] = /^\d+_(?:(\d+)|\[([\d,-]+)(?:%\d+)?\])$/.exec(id) ?? []
  if (single !== undefined) return [Number(single)]
  return (list ?? '').split(',').flatMap(part => {
    const [first, last = first] = part.split('-').map(Number)
    if (!part || first === undefined || last === undefined) return []
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  })
}
