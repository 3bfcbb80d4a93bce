import type { PanelCorner } from './panel-options.js'

/** The remembered places: the corner of the launcher, and the side and size of the workbench, in pixels. */
export type PanelPlace = { corner?: PanelCorner; open: boolean; side: 'below' | 'beside'; size: number }

const key = 'dashboard-api-panel'

/** Reads the place from the page's local storage. Without storage it is the initial one. */
export function readPlace(): PanelPlace {
  const initial: PanelPlace = { open: false, side: 'below', size: 420 }
  try {
    return { ...initial, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return initial
  }
}

export function savePlace(change: Partial<PanelPlace>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...readPlace(), ...change }))
  } catch {
    // The storage is full or not allowed.
  }
}
