import { createHash, timingSafeEqual } from 'node:crypto'
import type { Answer } from '../http/http-response.js'
import type { Metrics } from './metrics.js'

/** What `/metrics` answers to a request with this Authorization header. */
export type MetricsPage = (authorization: string | undefined) => Promise<Answer>

/** @param token what a reader has to bring as a bearer token; left out, nothing has to be brought */
export function createMetricsPage(metrics: Metrics, token: string | undefined): MetricsPage {
  return async (authorization) => {
    if (token !== undefined && !isSame(authorization ?? '', `Bearer ${token}`)) {
      const headers = { ...plain, 'www-authenticate': 'Bearer realm="metrics"' }
      return { status: 401, headers, text: 'The metrics ask for a bearer token.\n' }
    }
    const headers = { ...plain, 'content-type': metrics.contentType }
    return { status: 200, headers, text: await metrics.text(), level: 'debug' }
  }
}

const plain = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Compared by their digests: how long it takes says nothing of where they differ, nor of their lengths. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
