/** The items of an option that are separated by commas; null if it was not given. */
export function listed(text: string | undefined): string[] | null {
  return text?.split(',').filter(word => word !== '') ?? null
}
