// The name is there so that an import of it comes as far as this sentence.
export const dashboardApi = (() => {
  throw new Error(
    'dashboard-api/vite is for vite.config, which runs in Node. In a page, import dashboard-api/browser.',
  )
})()
