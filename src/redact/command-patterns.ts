/** Short flags of well-known programs whose value is a secret. Any other program may mean anything by them. */

export interface CommandFlagRow {
  readonly flag: string;
  /** Programs or their subcommands, for a value of its own (`-p x`); absent when any program will do. */
  readonly separate?: readonly string[];
  /** Programs that take the value without a space (`-px`). */
  readonly glued: readonly string[];
  /** `user`: `name:password`, of which the password is masked. */
  readonly value: 'secret' | 'cookie' | 'user';
  readonly source: string;
}

export const commandFlags: readonly CommandFlagRow[] = [
  { flag: '-u', glued: ['curl'], value: 'user', source: 'https://curl.se/docs/manpage.html#-u' },
  { flag: '-U', glued: ['curl'], value: 'user', source: 'https://curl.se/docs/manpage.html#-U' },
  {
    flag: '-b',
    separate: ['curl'],
    glued: [],
    value: 'cookie',
    source: 'https://curl.se/docs/manpage.html#-b',
  },
  {
    flag: '-p',
    separate: ['sshpass', 'mongosh', 'mongo', 'mongodump', 'login'],
    glued: ['mysql', 'mysqldump', 'mysqladmin', 'mariadb', 'sshpass'],
    value: 'secret',
    source: 'https://dev.mysql.com/doc/refman/8.4/en/password-security-user.html',
  },
  {
    flag: '-a',
    separate: ['redis-cli'],
    glued: [],
    value: 'secret',
    source: 'https://redis.io/docs/latest/develop/tools/cli/',
  },
];

/** Long flags whose value is `name:password`. */
export const userFlags: readonly string[] = ['--user', '--proxy-user', '--userpwd'];
