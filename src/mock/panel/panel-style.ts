/**
 * The styles of the launcher and of the frame of the workbench, as a constructed stylesheet: a Content-Security-Policy
 * without inline styles allows it. Important declarations in a shadow root override those of the page.
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
aside, section {
  --line: light-dark(#dcdde2, #34353b);
  --raised: light-dark(#fff, #17181b);
  --ink: light-dark(#17181c, #ededf0);
  color-scheme: light dark;
  position: fixed;
  display: flex;
  direction: ltr;
  background: var(--raised);
  color: var(--ink);
  font: 13px/1.45 system-ui, sans-serif;
}
aside {
  max-width: calc(100vw - 24px);
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 10px;
  box-shadow: 0 6px 24px rgb(0 0 0 / 18%);
  touch-action: none;
}
button, select {
  min-width: 0;
  height: 34px;
  padding: 0 12px;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
aside > * + * { border-left: 1px solid var(--line); }
select { max-width: 180px; background: var(--raised); }
aside button:first-child { font-weight: 600; white-space: nowrap; }
button:disabled { cursor: default; opacity: .45; }
:focus-visible { outline: 2px solid #6e74ff; outline-offset: -2px; }
[class$=right] { right: 12px; }
[class$=left] { left: 12px; }
[class^=bottom] { bottom: 12px; }
[class^=top] { top: 12px; }
`
