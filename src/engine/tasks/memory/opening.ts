// The opening line of a file: its first heading, its doc comment, or the title in its data.
import { closesFence, fenceAt, type FenceLine } from '@echelon/ground';
import { quoteForModel } from '../../language/quote.ts';
import type { CommentStyle, Language } from './languages.ts';

/** Lines that are looked at; what a file says about itself stands above them. */
const mostLines = 300;
const longestLine = 400;

/** Begins what is said of the file's rights: the rest of that comment is not about the content either. */
const rights =
  /copyright|\(c\) ?\d{4}|©|licensed (?:under|to)\b|spdx-|all rights reserved|permission is hereby|\b(?:mit|apache|bsd|gnu|gpl|mozilla|isc)\b.{0,40}\blicen[sc]e|this file is part of/i;
/** A line for a program: an interpreter, compiler, linter or editor. */
const forPrograms =
  /^#!|^\W*@(?:flow|format|jsx|ts-|fileoverview\s*$)|eslint-(?:disable|enable|env)|prettier-ignore|biome-ignore|pylint:|flake8:|mypy:|noqa|^#.*\bcoding[:=]|\bvim?:|-\*-|<reference|go:build|\+build|go:generate|shellcheck|syntax=|frozen_string_literal|^\W*#?region\b/i;

/** The line that tells what the file is for, as it stands there; undefined when none does. */
export function openingLine(language: Language | undefined, text: readonly string[]): string | undefined {
  const lines = text.slice(0, mostLines).map(line => line.slice(0, longestLine));
  switch (language?.name) {
    case 'Markdown':
    case 'reStructuredText':
    case 'AsciiDoc':
    case 'text':
      return heading(lines);
    case 'JSON':
      return dataTitle(lines);
    case 'HTML':
      return match(lines, /<title[^>]*>([^<]+)/i) ?? comment('markup', lines);
    case 'YAML':
    case 'TOML':
      return comment('hash', lines) ?? dataTitle(lines);
    case 'Python':
      return comment('hash', lines, true) ?? docComment('hash', lines);
    default: {
      const style = language?.comments ?? (lines[0]?.startsWith('#!') ? 'hash' : 'none');
      return comment(style, lines) ?? docComment(style, lines);
    }
  }
}

/** The first heading, or where there is none the first line of prose, outside of comments and fenced code. */
function heading(lines: readonly string[]): string | undefined {
  // Text that a reader of the page does not see must not name the file.
  const seen = quoteForModel(lines.join('\n')).text.split('\n');
  let prose: string | undefined;
  let fence: FenceLine | undefined;
  let at = 0;
  if (seen[0]?.trim() === '---') {
    const end = seen.findIndex((line, index) => index > 0 && line.trim() === '---');
    if (end > 0) at = end + 1;
  }
  for (; at < seen.length; at += 1) {
    const line = seen[at]!;
    if (fence) {
      if (closesFence(line, fence)) fence = undefined;
      continue;
    }
    fence = fenceAt(line);
    if (fence) continue;
    const atx = /^ {0,3}(?:#{1,6}|={1,5})\s+(\S.*)$/s.exec(line)?.[1];
    if (atx) return unmarked(atx.replace(/[\s#]+$/, ''));
    const isUnderlined = /^(?:=+|-+|~+|\*+|\^+|#+)\s*$/.test(seen[at + 1] ?? '') && hasWords(line);
    if (isUnderlined) return unmarked(line);
    if (prose === undefined && hasWords(unmarked(line))) prose = unmarked(line);
  }
  return prose;
}

/** Markdown without images, link targets, HTML tags and emphasis. */
function unmarked(line: string): string {
  return line
    .replace(/!\[[^\][]*\]\([^()]*\)/g, '')
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/[*`]+/g, '');
}

/** The first comment about the content that stands before any code; in Python the module's docstring too. */
function comment(style: CommentStyle, lines: readonly string[], docstring = false): string | undefined {
  const { line: single, open, close } = marks[style];
  let isAboutRights = false;
  let isOpen = false;
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim();
    if (!isOpen && line === '') {
      isAboutRights = false;
      continue;
    }
    const string = !isOpen && docstring ? /^[rRuU]?(?:"""|'''|["'])(.*)$/.exec(line)?.[1] : undefined;
    if (string !== undefined) return docstringLine(string, lines.slice(at + 1));
    let said: string;
    if (isOpen) said = line;
    else if (open && line.startsWith(open)) {
      isOpen = true;
      isAboutRights = false;
      said = line.slice(open.length);
    } else if (single && line.startsWith(single)) said = line.slice(single.length);
    // Lines that may stand before the first comment without being code.
    else if (/^(?:<\?|<!doctype\b|["']use \w+["'];?$|#!|---$)/i.test(line)) continue;
    else return undefined;
    if (isOpen && close && said.includes(close)) {
      said = said.slice(0, said.indexOf(close));
      isOpen = false;
    }
    if (rights.test(line)) isAboutRights = true;
    const words = uncommented(said);
    if (!isAboutRights && !forPrograms.test(line) && hasWords(words)) return words;
  }
  return undefined;
}

/** The first doc comment further down: of the first thing that the file declares. */
function docComment(style: CommentStyle, lines: readonly string[]): string | undefined {
  const isStart =
    style === 'slash' ? /^\s*(?:\/\*\*|\/\/\/|\/\/!)/ : style === 'hash' ? /^\s*[rR]?"""/ : undefined;
  if (!isStart) return undefined;
  const at = lines.findIndex(line => isStart.test(line));
  if (at < 0) return undefined;
  for (const line of lines.slice(at, at + 4)) {
    const words = uncommented(line.replace(isStart, '').replace(/\*\/.*|""".*/, ''));
    if (hasWords(words) && !rights.test(line) && !forPrograms.test(line)) return words;
    if (line.replace(isStart, '').includes('*/')) return undefined;
  }
  return undefined;
}

function docstringLine(first: string, rest: readonly string[]): string | undefined {
  const ended = /^(.*?)(?:"""|'''|["']\s*$)/.exec(first)?.[1];
  const said = ended ?? (hasWords(first) ? first : (rest.find(hasWords) ?? ''));
  const words = said.replace(/(?:"""|''').*$/, '');
  return hasWords(words) ? words : undefined;
}

/** `"description": "..."`, `title = "..."`, `name: ...` in the first column or the first level. */
function dataTitle(lines: readonly string[]): string | undefined {
  for (const key of ['description', 'title', 'name']) {
    const pattern = new RegExp(`^[ \\t]{0,4}"?${key}"?\\s*[:=]\\s*(\\S.*)$`, 'i');
    const value = match(lines, pattern);
    if (value === undefined) continue;
    const quoted = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(value);
    const title = quoted?.[1] ?? quoted?.[2] ?? value.replace(/\s#.*$/, '');
    if (hasWords(title)) return title;
  }
  return undefined;
}

function match(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

const marks: Record<CommentStyle, { line?: string; open?: string; close?: string }> = {
  slash: { line: '//', open: '/*', close: '*/' },
  hash: { line: '#' },
  dash: { line: '--', open: '{-', close: '-}' },
  semicolon: { line: ';' },
  percent: { line: '%' },
  markup: { open: '<!--', close: '-->' },
  none: {},
};

/** A line of a comment without what draws its frame. A slash before a word is the author's own: `/approve`. */
const uncommented = (line: string) => line.replace(/^[/*!#;%=~-]*[\s*=~-]*/, '').replace(/[\s*=~-]+\/?$/, '');

const hasWords = (line: string) => /\p{L}{2}/u.test(line);
