// How long a body on GitHub may be, and what of it is left to the product.

/** GitHub refuses a longer body of an issue, comment or pull request with 422. */
export const MAX_BODY = 65_536;
