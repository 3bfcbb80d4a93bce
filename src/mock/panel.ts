import type { PanelMock } from './panel/panel-mock.js'
import type { PanelOptions } from './panel/panel-options.js'

export type { PanelMock } from './panel/panel-mock.js'
export type { PanelCorner, PanelOptions } from './panel/panel-options.js'

/**
 * Shows a panel over the page with the controls of its mock: persona, delay, forced outcomes, undo and redo, the log.
 * It is loaded when the page is idle. Without a document, as in Node, nothing happens. There is one panel: another call
 * replaces it.
 * @param mock of `startMockApi` or `createMock`, or of `connectToMock` for the mock at the page's own origin
 * @returns a function that removes the panel
 */
export function mockPanel(mock: PanelMock, options: PanelOptions = {}): () => void {
  let remove: (() => void) | undefined
  let isRemoved = false
  const show = () => {
    import('./panel/panel-element.js')
      .then(({ showPanel }) => {
        if (!isRemoved) remove = showPanel(mock, options)
      })
      .catch((error) => console.error('The panel of the mock cannot be shown.', error))
  }
  if (globalThis.document) (globalThis.requestIdleCallback ?? setTimeout)(show)
  return () => {
    isRemoved = true
    remove?.()
  }
}
