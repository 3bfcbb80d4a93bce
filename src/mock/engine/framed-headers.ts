/** Pages of this machine, and its editor, whose previews are frames. */
const machine = ['http', 'https'].flatMap((scheme) =>
  ['localhost', '*.localhost', '127.0.0.1'].map((host) => `${scheme}://${host}:*`),
)

/** The pages that may frame a page of the mock, as a policy. */
export const framedBy = `frame-ancestors 'self' ${machine.join(' ')} vscode-webview:`

/** The headers of a page in the mock: production's pages may not be framed at all. */
export function framedHeaders({
  'x-frame-options': _,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  const policy = headers['content-security-policy']?.replace("frame-ancestors 'none'", framedBy)
  return { ...headers, ...(policy && { 'content-security-policy': policy }) }
}
