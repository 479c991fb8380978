// PATH of the system's programs.

/** A PATH. The caller's is not asked: a program found there could be anyone's. */
export const systemPath = [
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  '/opt/homebrew/bin:/home/linuxbrew/.linuxbrew/bin:/run/current-system/sw/bin',
].join(':');
