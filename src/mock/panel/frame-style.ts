/** The styles of the frame of the workbench. See `panelStyle`. */
export const frameStyle = `
section { flex-direction: column; box-shadow: 0 0 24px rgb(0 0 0 / 18%); }
.below { inset: auto 0 0; height: min(var(--size), 92vh); border-top: 1px solid var(--line); }
.beside { inset: 0 0 0 auto; width: min(var(--size), 100vw); border-left: 1px solid var(--line); }
[role=separator] { position: absolute; z-index: 1; touch-action: none; }
.below [role=separator] { inset: -4px 0 auto; height: 8px; cursor: ns-resize; }
.beside [role=separator] { inset: 0 auto 0 -4px; width: 8px; cursor: ew-resize; }
[role=separator]:hover { background: #6e74ff66; }
/** Above the first line of the framed page, which leaves room for it. */
header { position: absolute; z-index: 2; top: 4px; right: 6px; display: flex; }
header button { display: grid; place-content: center; width: 30px; height: 28px; padding: 0; border-radius: 6px; }
header button:hover { background: light-dark(#f0f0f3, #26272c); }
header svg { width: 16px; fill: none; stroke: currentcolor; stroke-width: 1.5; }
p { margin: 0; padding: 12px; }
p:empty { display: none; }
iframe { flex: 1; width: 100%; min-height: 0; border: 0; }
section:has([role=separator]:active) iframe { pointer-events: none; }
`
