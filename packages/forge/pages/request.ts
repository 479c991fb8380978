// What a page takes from its address and its form.
import type { Context } from 'hono';
import { Refusal } from './api.ts';

/** `owner/name` from the address. Throws Refusal 404 for names that no repository can have. */
export function repositoryOf(c: Context): string {
  const repository = `${c.req.param('owner')}/${c.req.param('repo')}`;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || /(^|\/)\.{1,2}($|\/)/.test(repository))
    throw new Refusal(404, `No repository is named ${repository}`);
  return repository;
}

/** A number of an issue, pull request or page. Throws Refusal 404 for anything else. */
export function numberOf(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw new Refusal(404, `${text} is not a number`);
  return Number(text);
}

/** The id of a run or a job, as it stands in an address. Throws Refusal 404 for anything else. */
export function idOf(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw new Refusal(404, `${text} is not an id`);
  return Number(text);
}

/** A field of the form that was sent; empty when it is missing. */
export async function field(c: Context, name: string): Promise<string> {
  const value = (await c.req.parseBody())[name];
  // A form sends line ends as CR LF; Markdown and the command parser read LF.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
}

/** All values of a field that can be chosen several times. */
export async function fields(c: Context, name: string): Promise<string[]> {
  const value = (await c.req.parseBody({ all: true }))[name];
  return [value].flat().filter(each => typeof each === 'string');
}
