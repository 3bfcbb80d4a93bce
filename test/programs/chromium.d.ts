/** The used part of @sparticuz/chromium, which may not be installed where the types are checked. */
declare module '@sparticuz/chromium' {
  const chromium: { executablePath(): Promise<string> }
  export default chromium
}
