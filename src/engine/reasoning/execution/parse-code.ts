// Parses code for its shape alone: where its loops, jumps and names stand.
import { Parser, type Program } from 'acorn';

/** What the parser calls itself by, though its types do not tell of it (acorn/dist/acorn.mjs). */
interface Internals {
  scopeStack: Scope[];
}

/** Its flags never change, so what a walk through the scopes around it found holds for good. */
interface Scope {
  ofVariables?: unknown;
  ofThis?: unknown;
  canAwait?: boolean;
}

/**
 * The interpreter says itself what is wrong with a regular expression, which name is declared twice and what cannot be
 * assigned to, and there a time limit holds. Here each would take a time that grows with the square of the code's
 * length, or worse.
 */
const ShapeParser = Parser.extend(Base => {
  const walks = Base.prototype as unknown as { currentVarScope(): unknown; currentThisScope(): unknown };
  const Shape = class extends Base {
    validateRegExpFlags(): void {}
    validateRegExpPattern(): void {}
    declareName(): void {}
    checkLValPattern(): void {}
    // Asked for every name; each walk is as long as the nesting is deep.
    currentVarScope(this: Internals): unknown {
      const scope = this.scopeStack.at(-1)!;
      return (scope.ofVariables ??= walks.currentVarScope.call(this));
    }
    currentThisScope(this: Internals): unknown {
      const scope = this.scopeStack.at(-1)!;
      return (scope.ofThis ??= walks.currentThisScope.call(this));
    }
    get canAwait(): boolean {
      const scope = (this as unknown as Internals).scopeStack.at(-1)!;
      return (scope.canAwait ??= Reflect.get(Base.prototype, 'canAwait', this));
    }
    // The code is the body of a function, though it is parsed as a script.
    get allowNewDotTarget(): boolean {
      return true;
    }
  };
  return Shape as unknown as typeof Parser;
});

/** Throws SyntaxError with `loc`, its place (columns from 0); also where the code is nested too deeply. */
export function parseShape(code: string): Program {
  return ShapeParser.parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
  });
}
