import type { StorybookConfig } from '@storybook/react-vite'

export default {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.tsx'],
  addons: ['msw-storybook-addon'],
  // The folder of the worker script, which `dashboard-api init public` writes.
  staticDirs: ['../public'],
  core: { disableTelemetry: true },
} satisfies StorybookConfig
