// Reads objects of a repository through one git that stays for a while: starting it costs more than most of its answers.
import { statSync } from 'node:fs';
import { type GitOptions, startGit } from './git.ts';

export interface FoundObject {
  oid: string;
  type: string;
  size: number;
  bytes: Buffer;
}

interface Question {
  what: 'info' | 'contents';
  resolve(found: FoundObject | undefined): void;
  reject(error: unknown): void;
}

type Git = ReturnType<typeof startGit>;

/** After so long without a question git ends (milliseconds). */
const IDLE_MS = 2000;

export class ObjectReader {
  readonly #options: GitOptions;
  #git: Git | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked: Question[] = [];

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /**
   * The object of a name as git resolves it: an id, a ref, `<id>^{tree}`, `<id>:<path>`. Undefined where there is none. Throws
   * where git ends without an answer. `info`: without its bytes.
   */
  async ask(what: Question['what'], name: string): Promise<FoundObject | undefined> {
    if (/[\n\0]/.test(name)) return undefined;
    const git = this.#git ?? this.#open();
    clearTimeout(this.#idle);
    // It keeps this process alive for an answer only.
    git.ref();
    return await new Promise((resolve, reject) => {
      this.#asked.push({ what, resolve, reject });
      git.stdin.write(`${what} ${name}\n`);
    });
  }

  /** Ends git, which answers what was asked before. */
  end(): void {
    clearTimeout(this.#idle);
    this.#git?.stdin.end();
    this.#git = undefined;
  }

  #open(): Git {
    const git = startGit(['cat-file', '--batch-command'], this.#options);
    const asked: Question[] = [];
    [this.#git, this.#asked] = [git, asked];
    for (const stream of [git.stdin, git.stdout, git.stderr.resume()])
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
    // It ended, which its output tells.
    git.on('error', () => {}).stdin.on('error', () => {});
    this.#answer(git, asked).catch(error => {
      if (this.#git === git) this.end();
      for (const { reject } of asked.splice(0)) reject(error);
    });
    return git;
  }

  /** Gives each question its answer: `<id> <type> <size>`, the bytes, a line end; or `<name> missing`. Throws at the end. */
  async #answer(git: Git, asked: Question[]): Promise<void> {
    const chunks = git.stdout.iterator();
    let held: Buffer = Buffer.of();
    const hold = async (bytes: number) => {
      const parts = [held];
      for (let has = held.length; has < bytes; ) {
        const { value, done }: IteratorResult<Buffer, undefined> = await chunks.next();
        if (done) throw new Error('git ended without an answer about an object');
        has += value.length;
        parts.push(value);
      }
      if (parts.length > 1) held = Buffer.concat(parts);
    };
    for (;;) {
      while (!held.includes(0x0a)) await hold(held.length + 1);
      const head = held.indexOf(0x0a);
      const [, oid = '', type, length] =
        /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(held.toString('latin1', 0, head)) ?? [];
      const size = Number(length);
      const [question] = asked;
      const end = type !== undefined && question?.what === 'contents' ? head + 1 + size : head;
      await hold(end + 1);
      asked.shift();
      const bytes = held.subarray(head + 1, end);
      held = held.subarray(end + 1);
      if (asked.length === 0) {
        git.unref();
        this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
      }
      question?.resolve(type === undefined ? undefined : { oid, type, size, bytes });
    }
  }
}

const readers = new Map<string, { folder: string; reader: ObjectReader }>();

/** The reader of a repository's folder; where another folder has taken its place since, of that one. */
export function objectsIn(path: string): ObjectReader {
  const { ino, birthtimeMs } = statSync(path);
  const folder = `${ino} ${birthtimeMs}`;
  const known = readers.get(path);
  if (known?.folder === folder) return known.reader;
  const reader = new ObjectReader({ gitDir: path });
  readers.set(path, { folder, reader });
  return reader;
}
