import type { RecordEditor } from '../../store/memory/record-editor.js'
import type { UserRecord } from '../../store/state-file.js'
import type { Personas } from './personas.js'

/** A persona as the interfaces (HTTP, CLI, terminal, page, in process) show it. */
export type Persona = {
  id: string
  email: string
  orgCode?: string
  role?: string
  note?: string
  expiresAt?: string
  revokedAt?: string
}

type Listing = { personas: Personas; records(): Promise<RecordEditor> }

/** The personas with the addresses of their users. */
export async function listPersonas({ personas, records }: Listing): Promise<Persona[]> {
  const editor = await records()
  return (await personas.list()).map(({ id, userId, orgCode, role, note, expiresAt, revokedAt }) => {
    const user = editor.find('users', userId) as UserRecord | undefined
    return { id, email: user?.email ?? '', orgCode, role, note, expiresAt, revokedAt }
  })
}
