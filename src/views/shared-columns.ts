import { columnsOf } from './model.js'

/** Columns of everything that has an id, a name, a path, tags or a description. */

export const idColumn = columnsOf<{ readonly id: number }>()('id', 'ID', ({ id }) => id, { symbol: '🆔' })

export const nameColumn = columnsOf<{ readonly name: string }>()('name', 'Name', ({ name }) => name, { symbol: '🔖' })

export const pathColumn = columnsOf<{ readonly path: string }>()('path', 'Path', ({ path }) => path, { symbol: '📁' })

const ofTags = columnsOf<{ readonly tags: readonly string[] }>()
export const tagsColumn = ofTags('tags', 'Tags', ({ tags }) => tags, { symbol: '🏷', leaves: 4 })

const described = columnsOf<{ readonly description: string }>()
export const descriptionColumn = described('description', 'Description', ({ description }) => description, {
  symbol: '💬',
  leaves: 2,
})
