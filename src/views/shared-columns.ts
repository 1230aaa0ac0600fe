import type { Column } from './model.js'

/** Columns of everything that has an id, a name, a path, tags or a description. */

export const idColumn = {
  key: 'id',
  title: 'ID',
  symbol: '🆔',
  value: ({ id }) => id,
} satisfies Column<{ readonly id: number }>

export const nameColumn = {
  key: 'name',
  title: 'Name',
  symbol: '🔖',
  value: ({ name }) => name,
} satisfies Column<{ readonly name: string }>

export const pathColumn = {
  key: 'path',
  title: 'Path',
  symbol: '📁',
  value: ({ path }) => path,
} satisfies Column<{ readonly path: string }>

export const tagsColumn = {
  key: 'tags',
  title: 'Tags',
  symbol: '🏷',
  leaves: 4,
  value: ({ tags }) => tags,
} satisfies Column<{ readonly tags: readonly string[] }>

export const descriptionColumn = {
  key: 'description',
  title: 'Description',
  symbol: '💬',
  leaves: 2,
  value: ({ description }) => description,
} satisfies Column<{ readonly description: string }>
