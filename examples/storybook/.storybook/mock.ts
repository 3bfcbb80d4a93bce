import { createMock } from 'dashboard-api/msw'

/** The mock of all stories. */
export const mock = createMock({ session: 'acme-owner' })
