import type { Project } from '../../contract/schemas.js'
import type { Columns, Style } from './columns.js'

const styles: Record<string, Style> = { active: 'green', archived: 'dim' }

const columns: Columns<Project> = {
  Name: { value: 'name', minWidth: 16 },
  Status: { value: 'status', style: ({ status }) => styles[status] },
  Created: { value: 'createdAt', minWidth: 10 },
  // Whole where the terminal is narrow: other commands take it.
  Id: { value: 'id', style: 'dim' },
  Description: { value: 'description', minWidth: 8 },
}

/** The table of the projects of a team, of a database or of a mock. */
export const projectTable = { columns, emptyText: 'The team has no project.' }
