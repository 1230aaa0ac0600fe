/** How scripts reach a POSIX shell that is far away: each call runs one program here, whose streams are those of the shell there. */
export interface Transport {
  /** What people call the other side. */
  readonly host: string
  /** What a person types if there is no connection. */
  readonly login: string
  /** The code with which the program here ends if it cannot connect, or has lost the connection. */
  readonly unconnected: number
  /**
   * The words of the program here that runs code of a POSIX shell there.
   * @param code it may have double quotes, but no single one
   * @throws QanatError if there can be no connection
   */
  words(code: string): Promise<readonly string[]>
  /** Whether there is a connection. It may be dead all the same. */
  isConnected(): Promise<boolean>
}
