// One SQLite file, with prepared statements kept and rows handed out under the type of their table.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { schema } from './schema.sql.ts';
import { present } from '@echelon/ground';

export type Value = string | number | boolean | null;
/** Statements that stay prepared; those that no search makes are a few hundred. */
const mostStatements = 1000;

/** Time that a statement waits for another program that reads or copies the file (milliseconds). */
const PATIENCE_MS = 10_000;

export type Row = Record<string, Value>;

export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Changes made aside, since the open transaction began. */
  #aside: { sql: string; values: Value[] }[] = [];
  #noting = false;

  /**
   * Opens or creates the file. No write-ahead log: between two calls the one file is the whole state, so that a
   * copy of it is a copy of the forge. No fsync: a killed process loses nothing, a power cut may.
   */
  constructor(file: string) {
    this.#sqlite = new DatabaseSync(file, { timeout: PATIENCE_MS });
    this.#sqlite.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON');
    this.transaction(() => {
      this.#sqlite.exec(schema);
      this.#addColumns();
    });
  }

  /** Adds the columns that a file lacks which was made before they came in. */
  #addColumns(): void {
    const whole = new DatabaseSync(':memory:');
    whole.exec(schema);
    const columns = `SELECT t.name AS "table", c.name, c.type, c."notnull", c.dflt_value AS usual
      FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`;
    const known = new Set(this.all<Column>(columns).map(({ table, name }) => `${table}.${name}`));
    for (const { table, name, type, notnull, usual } of whole.prepare(columns).all() as unknown as Column[])
      if (!known.has(`${table}.${name}`))
        this.#sqlite.exec(
          `ALTER TABLE ${table} ADD ${name} ${type} ${notnull ? `NOT NULL DEFAULT ${usual}` : ''}`,
        );
    whole.close();
  }

  /** The rows of a query. `T` is the caller's word for the columns: the schema is our own. */
  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#statement(sql).all(...values.map(plain)) as T[];
  }

  one<T>(sql: string, ...values: Value[]): T | undefined {
    return this.#statement(sql).get(...values.map(plain)) as T | undefined;
  }

  /** The row of a query that has to find one: what was just written. */
  the<T>(sql: string, ...values: Value[]): T {
    return present(this.one<T>(sql, ...values), 'the row');
  }

  /** The rows of a table that have these values, in the order of `order`. */
  rows<T>(table: string, where: Row, order = 'id'): T[] {
    return this.all<T>(`SELECT * FROM ${having(table, where)} ORDER BY ${order}`, ...Object.values(where));
  }

  /** The first row of a table that has these values. */
  find<T>(table: string, where: Row): T | undefined {
    return this.one<T>(`SELECT * FROM ${having(table, where)}`, ...Object.values(where));
  }

  /** The row of an id that is known to be there. */
  get<T>(table: string, id: number): T {
    return present(this.find<T>(table, { id }), `the row ${id} of ${table}`);
  }

  remove(table: string, where: Row): void {
    this.run(`DELETE FROM ${having(table, where)}`, ...Object.values(where));
  }

  /** Number of rows that a query over `from ...` finds. */
  count(from: string, ...values: Value[]): number {
    return this.one<{ n: number }>(`SELECT count(*) AS n FROM ${from}`, ...values)?.n ?? 0;
  }

  /** Runs a statement; returns the number of rows it changed. */
  run(sql: string, ...values: Value[]): number {
    if (this.#noting) this.#aside.push({ sql, values });
    return Number(this.#statement(sql).run(...values.map(plain)).changes);
  }

  /** Inserts one row and returns its id. Names come from the code, never from a request. */
  insert(table: string, row: Row): number {
    const sql = insertion(table, Object.keys(row));
    const values = Object.values(row);
    const id = Number(this.#statement(sql).run(...values.map(plain)).lastInsertRowid);
    if (this.#noting) this.#aside.push(withId(table, row, id));
    return id;
  }

  /** Inserts one row and hands it out. */
  add<T>(table: string, row: Row): T {
    return this.get<T>(table, this.insert(table, row));
  }

  /** Inserts a row where none of the same key is; whether it did. */
  ensure(table: string, row: Row): boolean {
    return (
      this.run(`${insertion(table, Object.keys(row))} ON CONFLICT DO NOTHING`, ...Object.values(row)) > 0
    );
  }

  /** Sets columns of the row with this id; undefined leaves one as it is. */
  update(table: string, id: number, row: Record<string, Value | undefined>): void {
    const given = Object.entries(row).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    );
    if (given.length === 0) return;
    this.run(
      `UPDATE ${table} SET ${given.map(({ name }) => `${name} = ?`).join(', ')} WHERE id = ?`,
      ...given.map(({ value }) => value),
      id,
    );
  }

  #begin(): void {
    this.#aside = [];
    this.#sqlite.exec('BEGIN IMMEDIATE');
  }
  #rollback(): void {
    this.#sqlite.exec('ROLLBACK');
    const kept = this.#aside;
    if (kept.length > 0)
      this.transaction(() => {
        for (const { sql, values } of kept) this.run(sql, ...values);
      });
  }

  /**
   * Changes that have nothing to do with the call whose transaction may be open, because it waits for git: they
   * are done at once and stay, with the same ids, when that call fails.
   */
  aside<T>(work: () => T): T {
    this.#noting = this.#sqlite.isTransaction;
    try {
      return this.transaction(work);
    } finally {
      this.#noting = false;
    }
  }

  /** All of `work` or nothing of it; joins the transaction that is already open. */
  transaction<T>(work: () => T): T {
    if (this.#sqlite.isTransaction) return work();
    this.#begin();
    try {
      const result = work();
      this.#sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  /** The same for work that waits, for git: the caller sees to it that nothing else uses the database meanwhile. */
  async transactionOver<T>(work: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      const result = await work();
      this.#sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  /** Grows with each row that is written. */
  changes(): number {
    return this.the<{ n: number }>('SELECT total_changes() AS n').n;
  }

  close(): void {
    this.#sqlite.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      // A search has as many forms as people think of.
      if (this.#statements.size >= mostStatements) this.#statements.clear();
      this.#statements.set(sql, (statement = this.#sqlite.prepare(sql)));
    }
    return statement;
  }
}

/** Names come from the code, never from a request. */
const having = (table: string, where: Row): string =>
  `${table} WHERE ${Object.keys(where)
    .map(name => `${name} = ?`)
    .join(' AND ')}`;

interface Column {
  table: string;
  name: string;
  type: string;
  notnull: number;
  usual: string | null;
}

const insertion = (table: string, names: string[]): string =>
  `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;

/** The same insertion with the id it got; tables without one keep their key among the values anyway. */
function withId(table: string, row: Row, id: number): { sql: string; values: Value[] } {
  const whole = keyless.has(table) ? row : { id, ...row };
  return { sql: insertion(table, Object.keys(whole)), values: Object.values(whole) };
}

const keyless = new Set(['collaborators', 'installation_repositories', 'installation_tokens', 'refs']);

const plain = (value: Value): string | number | null => (typeof value === 'boolean' ? Number(value) : value);
