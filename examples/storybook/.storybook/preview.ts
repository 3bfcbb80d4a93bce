import type { Preview } from '@storybook/react-vite'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { mock } from './mock'

export default {
  loaders: [mswLoader()],
  parameters: { msw: { handlers: { dashboardApi: mock.handlers } } },
  // A story that is visited again starts anew: with the demo, the persona of the mock, and no scenario.
  beforeEach: () => mock.reset(),
} satisfies Preview
