import { createMock } from 'dashboard-api/msw'
import { handlers } from './handlers'

/** The team dashboard API, with its controls. */
export const mock = createMock({ session: 'acme-owner', handlers })
