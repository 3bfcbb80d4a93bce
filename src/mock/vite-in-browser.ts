// Exported so that importing the name fails with this message instead of a SyntaxError.
export const dashboardApi = (() => {
  throw new Error(
    'dashboard-api/vite is for vite.config, which runs in Node. In a page, import dashboard-api/browser.',
  )
})()
