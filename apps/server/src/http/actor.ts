/** The signed-in user a call acts for. Its id is part of every query. */
export interface Actor {
  readonly id: string;
  readonly username: string;
}
