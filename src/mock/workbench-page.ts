import { framedBy } from './engine/framed-headers.js'
import type { MockReply } from './engine/mock-reply.js'

/** Returns the page that controls the mock, at its path. */
export async function workbenchFile(path: string): Promise<MockReply | undefined> {
  if (path !== '/__dev/') return undefined
  // Built from `workbench/`.
  const { default: html } = await import('#workbench-document')
  return {
    status: 200,
    body: html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // The document itself has the rest of its policy.
      'content-security-policy': framedBy,
      // For a page with this policy.
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
    },
  }
}
