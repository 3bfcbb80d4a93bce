/**
 * The headers of every response, as Helmet would set them for an API: browsers must not show, load, frame, sniff or store it.
 * Pages override some of them.
 * @param isHttps whether browsers reach the service over https; they then use nothing else
 */
export const securityHeaders = (isHttps: boolean): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
