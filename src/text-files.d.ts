/** A file whose text is part of the program. */
declare module '*?raw' {
  const text: string
  export default text
}
