import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import vue from '@vitejs/plugin-vue'
import solid from 'vite-plugin-solid'
import { defineConfig } from 'vitest/config'

const folder = basename(import.meta.dirname)
const root = dirname(import.meta.dirname)
const msw = JSON.parse(readFileSync(new URL('node_modules/msw/package.json', import.meta.url), 'utf8'))
/** MSW 3 has no entries for Node with the condition `browser`, which the plugins of Svelte and Solid set. */
const hasNodeEntries = msw.version.startsWith('2.')

const project = (name, environment, plugins = [], include = 'entries.test.js') => ({
  root,
  plugins,
  test: { name, environment, include: [`${folder}/${include}`] },
})

export default defineConfig({
  root,
  test: {
    testTimeout: 30_000,
    projects: [
      project('node', 'node'),
      project('jsdom', 'jsdom', [], '*.test.js'),
      project('happy-dom', 'happy-dom'),
      ...(hasNodeEntries
        ? [project('svelte', 'jsdom', [svelte(), svelteTesting()]), project('solid', 'jsdom', [solid()])]
        : []),
      project('vue', 'jsdom', [vue()]),
    ],
  },
})
