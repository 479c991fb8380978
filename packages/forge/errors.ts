// Failures of a call in GitHub's form: {message, documentation_url, status, errors?}.

export interface FieldError {
  resource: string;
  code: string;
  field?: string;
  message?: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly errors: FieldError[] | undefined;

  constructor(status: number, message: string, errors?: FieldError[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }

  /** The whole in a sentence, for those who are not shown the parts. */
  sentence(): string {
    const parts = (this.errors ?? []).map(
      ({ field = '', code, message = `${field} is ${code.replace('_field', '').replaceAll('_', ' ')}` }) =>
        message,
    );
    return parts.join(', ') || this.message;
  }

  /** The body of the answer. */
  body(): Record<string, unknown> {
    return {
      message: this.message,
      ...(this.errors && { errors: this.errors }),
      documentation_url: 'https://docs.github.com/rest',
      status: String(this.status),
    };
  }
}

export const notFound = () => new ApiError(404, 'Not Found');
/** The value that was looked for; 404 where there is none. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw notFound();
  return value;
}
export const badCredentials = () => new ApiError(401, 'Bad credentials');
export const needsToken = () => new ApiError(401, 'Requires authentication');
export const forbidden = (message: string) => new ApiError(403, message);
/** Answer to an app whose installation lacks a permission. */
export const notForIntegration = () => new ApiError(403, 'Resource not accessible by integration');

/** 422 for one field: code is GitHub's `missing_field`, `invalid`, `already_exists`, `missing`. */
export const invalidField = (resource: string, field: string, code: string) =>
  new ApiError(422, 'Validation Failed', [{ resource, field, code }]);

/** 422 with a sentence: code `custom`. */
export const invalid = (resource: string, message: string, field?: string) =>
  new ApiError(422, 'Validation Failed', [
    { resource, code: 'custom', ...(field !== undefined && { field }), message },
  ]);
