/** The page of the mock with its scripts and styles as one document, built from `workbench/`. */
declare module '#workbench-document' {
  const html: string
  export default html
}
