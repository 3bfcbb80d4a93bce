import { createClient } from 'dashboard-api/client'
import { cookies } from 'next/headers'

/** The service: `dashboard-api dev` during development. */
export const apiUrl = process.env.API_URL ?? 'http://localhost:4010'

export const api = createClient({ baseUrl: apiUrl })

/** The session of the visitor, for a call in a server component. */
export const session = async () => ({ headers: { cookie: (await cookies()).toString() } })
