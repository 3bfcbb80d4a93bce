/**
 * What every answer tells a browser, as Helmet would, fit to an API: nothing of it is shown, loaded, framed, guessed
 * at or kept. A page of ours says otherwise for itself.
 * @param isHttps whether browsers reach the service over https, and from then on never otherwise
 */
export const securityHeaders = (isHttps: boolean): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
