const apiUrl = process.env.API_URL ?? 'http://localhost:4010'

// The browser calls only the page's own origin, so that the session cookie belongs to it.
export default {
  rewrites: async () =>
    ['/v1', '/auth', '/api'].map((path) => ({
      source: `${path}/:rest*`,
      destination: `${apiUrl}${path}/:rest*`,
    })),
}
