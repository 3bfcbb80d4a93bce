import type { Project } from '../../contract/schemas.js'
import { columnsOf, type Tone } from './columns.js'

const tones: Record<string, Tone> = { active: 'good', archived: 'faint' }

/** The columns of a list of projects. */
export const projectColumns = columnsOf<Project>(
  'Name*, Status, Created, Id*, Description*',
  ({ name, status, createdAt, id, description }) => [name, status, createdAt, id, description ?? ''],
  { Status: ({ status }) => tones[status], Id: () => 'faint' },
)
