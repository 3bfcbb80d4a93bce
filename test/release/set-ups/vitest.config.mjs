import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import vue from '@vitejs/plugin-vue'
import solid from 'vite-plugin-solid'
import { defineConfig } from 'vitest/config'

const project = (name, environment, plugins = [], include = ['entries.test.js']) => ({
  plugins,
  test: { name, environment, include },
})

export default defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      project('node', 'node'),
      project('jsdom', 'jsdom', [], ['*.test.js']),
      project('happy-dom', 'happy-dom'),
      // The first two set the condition `browser` in Node.
      project('svelte', 'jsdom', [svelte(), svelteTesting()]),
      project('solid', 'jsdom', [solid()]),
      project('vue', 'jsdom', [vue()]),
    ],
  },
})
