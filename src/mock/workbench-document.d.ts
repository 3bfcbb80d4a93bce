/** The page of the mock with its scripts and styles as one document, which the build makes of `workbench/`. */
declare module '#workbench-document' {
  const html: string
  export default html
}
