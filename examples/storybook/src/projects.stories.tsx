import type { Meta, StoryObj } from '@storybook/react-vite'
import { HttpResponse, http } from 'msw'
import { mock } from '../.storybook/mock'
import { Projects } from './projects'

export default { title: 'Projects', component: Projects } satisfies Meta<typeof Projects>

type Story = StoryObj<typeof Projects>

export const Demo: Story = {}

export const Empty: Story = {
  beforeEach: async () => {
    await mock.scenarios.set({ target: 'empty' })
  },
}

export const NameTaken: Story = {
  beforeEach: async () => {
    await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: null })
  },
}

export const Viewer: Story = {
  beforeEach: async () => {
    await mock.session.use('acme-viewer')
  },
}

export const SignedOut: Story = {
  beforeEach: () => mock.session.signOut(),
}

/** Handlers of one's own, beside those of the mock. */
export const WithInvoices: Story = {
  parameters: {
    msw: { handlers: { own: http.get('/api/invoices', () => HttpResponse.json(['2026-001', '2026-002'])) } },
  },
}

/** A handler of one's own, in place of the mock's. */
export const Shadowed: Story = {
  beforeEach({ msw }) {
    msw.use(http.get('/v1/projects', () => HttpResponse.json({ projects: [] })))
  },
}
