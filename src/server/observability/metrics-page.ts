import { createHash, timingSafeEqual } from 'node:crypto'
import type { Metrics } from './metrics.js'

/** The response of `/metrics` to a request with this Authorization header. */
export type MetricsPage = (
  authorization: string | undefined,
) => Promise<{ status: number; headers: Record<string, string>; text: string }>

/** @param token the bearer token that a request needs; none, if left out */
export function createMetricsPage(metrics: Metrics, token: string | undefined): MetricsPage {
  return async (authorization) => {
    if (token !== undefined && !isEqual(authorization ?? '', `Bearer ${token}`)) {
      const headers = { ...plainText, 'www-authenticate': 'Bearer realm="metrics"' }
      return { status: 401, headers, text: 'The metrics need a bearer token.\n' }
    }
    const headers = { ...plainText, 'content-type': metrics.contentType }
    return { status: 200, headers, text: await metrics.text() }
  }
}

const plainText = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Compares digests, so that the time reveals neither the length nor the first difference. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
