const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char)

/** Adds a button to each block of code. Without a clipboard, as on a page without TLS, it selects the block. */
export const copyScript = `for(const block of document.querySelectorAll('pre')){const button=document.createElement('button');button.textContent='Copy';button.onclick=async()=>{try{await navigator.clipboard.writeText(block.textContent);button.textContent='Copied'}catch{getSelection().selectAllChildren(block)}};block.before(button)}`

/** The SHA-256 of the script, as the policy of a page has it. */
const copyScriptHash = 'nn7S7UGdiWttrqbn6BxQPFi+ThJzoZc25v4W6+7Gq9o='

/**
 * The headers of every page: it loads nothing from other sites and is not cached.
 * @param redirects whether the page has a form whose response redirects to other sites. Browsers check `form-action` for
 *   every redirect, so such a page has none. It sends its origin with the form.
 * @param scriptHash the SHA-256 of the script that the page may run
 */
export const pageHeaders = ({
  redirects = false,
  scriptHash = copyScriptHash,
} = {}): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; ${redirects ? '' : "form-action 'self'; "}base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  // These apply to pages only.
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': redirects ? 'same-origin' : 'no-referrer',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
})

const style = `
:root { color-scheme: light dark; background: light-dark(#fff, #0f1012); color: light-dark(#17181c, #ededf0);
  --line: light-dark(#e6e6ea, #27282d); --soft: light-dark(#f5f5f7, #1b1c20); --accent: light-dark(#4a4fd0, #9ea3ff);
  --quiet: light-dark(#62636c, #9b9ca6); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: 1.5rem; padding-bottom: .5rem; border-bottom: 1px solid var(--line); }
nav a { text-decoration: none; } .button { display: inline-block; padding: .35rem .9rem; border-radius: .4rem; background: light-dark(#17181c, #ededf0); color: light-dark(#fff, #0f1012); text-decoration: none; }
pre { user-select: all; } button { float: right; margin: .35rem; padding: .1rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: light-dark(#fff, #17181b); color: inherit; font: inherit; font-size: .8rem; cursor: pointer; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .925em; background: var(--soft); border-radius: .3rem; }
code { padding: .1em .35em; } pre { padding: .9rem 1rem; overflow-x: auto; } a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }`

/**
 * The links between the pages.
 * @param isMock whether the page of the mock is at `/`
 * @param prefix the prefix of the pages
 */
export const navigation = (isMock: boolean, prefix = ''): string =>
  `<nav aria-label="Pages">${isMock ? '<a href="/">Workbench</a>' : ''}<a href="${prefix}/docs">Docs</a><a href="${prefix}/docs#errors">Errors</a></nav>`

/** A page with this HTML body, additional CSS, and a script. */
export const page = (
  title: string,
  body: string,
  css = '',
  script = body.includes('<pre') ? copyScript : '',
): string => `<!doctype html>
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
${script && `<script>${script}</script>\n`}</body>
</html>
`
