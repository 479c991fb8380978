/** A line that a comment may say, and what comes of it. */
export interface CommandHelp {
  /** Without its slash. */
  name: string;
  /** With it, and with what may stand behind it. */
  usage: string;
  what: string;
}
