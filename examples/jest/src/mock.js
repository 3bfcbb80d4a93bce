import { createMock } from 'dashboard-api/msw'
import { handlers as own } from './handlers.mjs'

/** The team dashboard API, with its controls. */
export const mock = createMock({ session: 'acme-owner' })

export const handlers = [...own, ...mock.handlers]
