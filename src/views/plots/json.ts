/** A part of a specification of Vega-Lite. */
export type Json = { readonly [key: string]: unknown }
