/**
 * The styles of the panel, as a constructed stylesheet: a Content-Security-Policy without inline styles allows it.
 * Important declarations of a shadow root precede those of the page. Lengths are pixels, because the page sets `rem`.
 */
export const panelStyle = `
:host {
  all: initial !important;
  position: fixed !important;
  z-index: 2147483647 !important;
  display: block !important;
}
@media print {
  :host { display: none !important; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
aside {
  --line: light-dark(#d0d4dd, #3d4350);
  --edge: light-dark(#858c9b, #7d8595);
  --soft: light-dark(#f4f5f8, #262a33);
  --surface: light-dark(#fff, #181b21);
  --ink: light-dark(#1a1d24, #e8eaf0);
  --quiet: light-dark(#5a6170, #a9b0be);
  --accent: light-dark(#2b4fd8, #8fa8ff);
  --good: light-dark(#146c3a, #6fd69b);
  --bad: light-dark(#b3261e, #ff9d94);
  --warn: light-dark(#8a5200, #f3c06b);
  color-scheme: light dark;
  position: fixed;
  display: flex;
  direction: ltr;
  color: var(--ink);
  font: 13px/1.45 system-ui, sans-serif;
}
.bottom-right { right: 12px; bottom: 12px; }
.bottom-left { left: 12px; bottom: 12px; }
.top-left { left: 12px; top: 12px; }
.top-right { right: 12px; top: 12px; }

.launcher, .drawer {
  border: 1px solid var(--edge);
  background: var(--surface);
  box-shadow: 0 4px 20px rgb(0 0 0 / 22%);
}
.launcher {
  max-width: calc(100vw - 24px);
  min-height: 36px;
  padding: 6px 14px;
  border-radius: 18px;
}
.drawer {
  display: flex;
  flex-direction: column;
  width: min(400px, calc(100vw - 24px));
  height: min(640px, calc(100dvh - 24px));
  border-radius: 12px;
  overflow: hidden;
}
header {
  display: flex;
  gap: 6px;
  align-items: center;
  padding: 8px 8px 8px 14px;
  border-bottom: 1px solid var(--line);
}
.content { flex: 1; overflow: auto; padding: 4px 14px 12px; }
h2, h3, h4, p, ol, ul { margin: 0; padding: 0; font-size: 13px; list-style: none; }
h2 { flex: 1; font-size: 15px; }
h3 { margin: 12px 0 6px; }
h4 { margin: 6px 0 2px; font-weight: 600; }
small { color: var(--quiet); font-size: 12px; overflow-wrap: anywhere; }

button, input, select {
  min-height: 28px;
  min-width: 0;
  padding: 3px 9px;
  border: 1px solid var(--edge);
  border-radius: 7px;
  background: var(--soft);
  color: inherit;
  font: inherit;
}
input, select { background: var(--surface); padding-inline: 6px; }
button { flex: none; }
select, button { cursor: pointer; }
button:hover, select:hover { border-color: var(--accent); }
button[aria-pressed='true'] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }

.row { display: grid; gap: 4px 8px; grid-template-columns: auto 1fr; align-items: center; margin-top: 8px; }
.row small { grid-column: 1 / -1; }
.row small:empty { display: none; }
label { display: flex; gap: 8px; align-items: center; font-weight: 600; white-space: nowrap; }
.row label { display: grid; grid-template-columns: 64px 1fr; }
.row input { width: 74px; }
.row button { flex: 1 0 auto; padding-inline: 6px; }
.row label:first-child:nth-last-child(2) { grid-column: 1 / -1; }
label > select, label > input { font-weight: 400; }
.check { font-weight: 400; }
.check input { min-height: 0; width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
.choices { display: flex; flex-wrap: wrap; gap: 6px; }

form { display: grid; grid-template-columns: 1fr auto; gap: 6px 8px; align-items: center; }
form button { padding-inline: 12px; }
ul li { display: flex; gap: 8px; align-items: center; justify-content: space-between; margin-top: 6px; }
ul span { color: var(--warn); overflow-wrap: anywhere; }

ol li { border-top: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; padding: 5px 2px; cursor: pointer; }
summary > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
summary > :nth-child(even) { text-align: right; }
summary:hover, [open] > summary { background: var(--soft); }
details > div { padding: 0 2px 10px; }
details > div > p { margin: 4px 0; }
pre {
  max-height: 160px;
  margin: 0;
  padding: 6px 8px;
  border-radius: 6px;
  background: var(--soft);
  font: 12px/1.45 ui-monospace, monospace;
  white-space: pre-wrap;
  overflow: auto;
  overflow-wrap: anywhere;
}
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }

[role='status'] { padding: 8px 14px; border-top: 1px solid var(--line); background: var(--soft); }
[role='status']:empty { display: none; }

@media (max-width: 480px) {
  .drawer { height: min(640px, 75dvh); }
  button, select, input:not([type='checkbox']) { min-height: 34px; }
}
`
