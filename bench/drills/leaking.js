// Loaded before the service, for the control of `long-run.js`: keeps something of each request, and opens a file for some.
import { subscribe } from 'node:diagnostics_channel'
import { openSync } from 'node:fs'

const kept = []
subscribe('http.server.request.start', ({ request }) => {
  kept.push(Array.from({ length: 8_000 }, (_, i) => i + kept.length * 0.5))
  if (kept.length % 50 === 0) openSync(process.execPath, 'r')
  return request
})
