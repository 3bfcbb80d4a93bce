// The rules for every response, whatever the request was.

const fields = (body) => Object.keys(body).sort().join()

/**
 * The rule that a response breaks, in words; undefined if it breaks none.
 * @param codes the codes of the error catalogue
 */
export function brokenRule({ status, type, text }, isHead, codes) {
  if (status >= 500 && status !== 501) return `status ${status}: ${text.slice(0, 200)}`
  if (status < 400 || isHead || type.startsWith('text/html')) return undefined
  if (!/^application\/json; charset=utf-8$/.test(type)) return `status ${status} has the content type ${type}`
  let body
  try {
    body = JSON.parse(text)
  } catch {
    return `status ${status} is not JSON: ${text.slice(0, 200)}`
  }
  // Section 7: two operations use the short form.
  if (fields(body) === 'error') return typeof body.error === 'string' ? undefined : 'error is not a string'
  const wanted = status === 422 ? 'code,details,docsUrl,error' : 'code,docsUrl,error'
  if (fields(body) !== wanted) return `status ${status} has the fields ${fields(body)}`
  if (!codes.has(body.code)) return `unknown code ${body.code}`
  return URL.canParse(body.docsUrl) ? undefined : `docsUrl is no URL: ${body.docsUrl}`
}
