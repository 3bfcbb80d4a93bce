import type { Project } from '../../contract/schemas.js'

const tones: Record<string, 'good' | 'faint'> = { active: 'good', archived: 'faint' }

/** The columns of a list of projects. */
export const projectColumns = [
  { title: 'Name', value: ({ name }: Project) => name, shrinks: true },
  {
    title: 'Status',
    value: ({ status }: Project) => status,
    tone: ({ status }: Project) => tones[status],
  },
  { title: 'Created', value: ({ createdAt }: Project) => createdAt },
  { title: 'Id', value: ({ id }: Project) => id, tone: () => 'faint' as const, shrinks: true },
  { title: 'Description', value: ({ description }: Project) => description ?? '', shrinks: true },
]
