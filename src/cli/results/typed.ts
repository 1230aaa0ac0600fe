/** Options with a value, as they were typed. */
export type Typed<Name extends string> = { readonly [Each in Name]?: string | undefined }
