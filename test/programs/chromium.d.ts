/** What is used of @sparticuz/chromium, which is not installed where the types are checked. */
declare module '@sparticuz/chromium' {
  const chromium: { executablePath(): Promise<string> }
  export default chromium
}
