import type { PanelCorner } from './panel-options.js'

/** What the panel remembers across visits. */
export type PanelPlace = { open: boolean; corner: PanelCorner }

/** The corners in the order in which the panel moves through them. */
export const corners: PanelCorner[] = ['bottom-right', 'bottom-left', 'top-left', 'top-right']

const key = 'dashboard-api-panel'

/** Reads the place from the page's local storage. A page without storage has the initial one each time. */
export function readPlace(initial: PanelPlace): PanelPlace {
  try {
    const { open, corner } = JSON.parse(localStorage.getItem(key) ?? '{}')
    return {
      open: typeof open === 'boolean' ? open : initial.open,
      corner: corners.includes(corner) ? corner : initial.corner,
    }
  } catch {
    return initial
  }
}

export function savePlace(place: PanelPlace): void {
  try {
    localStorage.setItem(key, JSON.stringify(place))
  } catch {
    // The storage is full or not allowed.
  }
}
