const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char)

/**
 * The headers of every page: nothing is loaded from other sites, nothing is cached.
 * @param redirects whether the page has a form whose response redirects to other sites. Browsers check `form-action` for
 * every redirect, those of the other site included, so that such a page has none. It sends its origin with the form.
 */
export const pageHeaders = ({ redirects = false } = {}): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; ${redirects ? '' : "form-action 'self'; "}base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  // The following apply to pages only, so JSON responses do not have them.
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': redirects ? 'same-origin' : 'no-referrer',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
})

const style = `
:root { color-scheme: light dark; background: Canvas; --line: light-dark(#d6d9e0, #3a3f4b); --soft: light-dark(#f4f5f8, #1d2027);
  --accent: light-dark(#2b4fd8, #8fa8ff); }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .925em; background: var(--soft); border-radius: .3rem; }
code { padding: .1em .35em; } pre { padding: .9rem 1rem; overflow-x: auto; } a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }`

/** A page with this HTML body and additional CSS. */
export const page = (title: string, body: string, css = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}${css}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
