export type PanelOptions = {
  /**
   * Called after the launcher or the workbench has changed who is signed in or what is stored. Load the data of the page
   * again there, or reload it if the mock has `persist`.
   */
  onChange?(): void
  /** Where the launcher is until it is moved. Defaults to `bottom-right`. */
  corner?: PanelCorner
}

export type PanelCorner = 'bottom-right' | 'bottom-left' | 'top-left' | 'top-right'
