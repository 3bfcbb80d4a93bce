export type PanelOptions = {
  /**
   * Called after the launcher or the workbench has changed the session or the data. Load the data of the page again there, or
   * reload it if the mock has `persist`.
   */
  onChange?(): void
  /** The initial corner of the launcher. Default: `bottom-right`. */
  corner?: PanelCorner
}

export type PanelCorner = 'bottom-right' | 'bottom-left' | 'top-left' | 'top-right'
