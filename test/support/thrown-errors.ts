/** What clients throw: the real error classes of the SDK, in both copies of it, and errors built by hand. */
import { createRequire } from 'node:module';
import * as auth from '@modelcontextprotocol/sdk/client/auth.js';
import * as sse from '@modelcontextprotocol/sdk/client/sse.js';
import * as streamableHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth from '@modelcontextprotocol/sdk/server/auth/errors.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

const require = createRequire(import.meta.url);
const commonJs: typeof esm = {
  types: require('@modelcontextprotocol/sdk/types.js'),
  streamableHttp: require('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  sse: require('@modelcontextprotocol/sdk/client/sse.js'),
  auth: require('@modelcontextprotocol/sdk/client/auth.js'),
  oauth: require('@modelcontextprotocol/sdk/server/auth/errors.js'),
};
const esm = { types, streamableHttp, sse, auth, oauth };

/** One package, twice in one process: the classes have the same names and are not the same. */
export const sdkCopies = { ESM: esm, CommonJS: commonJs };

/** An `Error` with further members, as libraries make them. */
export function errorWith(members: object, message = 'no'): Error {
  return Object.assign(new Error(message), members);
}

/** An error of which only the name and the members are left: from another realm, or through a serializer. */
export function named(name: string, members: object = {}): object {
  return { name, message: 'no', ...members };
}

/** `innermost` with `depth` errors above it, each the cause of the next. */
export function below(depth: number, innermost: unknown): unknown {
  return depth === 0 ? innermost : new Error('wrapped', { cause: below(depth - 1, innermost) });
}

/** As `below`, through `errors` in place of `cause`. */
export function belowErrors(depth: number, innermost: unknown): unknown {
  return depth === 0 ? innermost : new AggregateError([belowErrors(depth - 1, innermost)], 'wrapped');
}

/** An error whose class a bundler has renamed; SDK v2 puts the names of its classes on it as brands. */
export function branded(...brands: readonly string[]): Error {
  class t extends Error {}
  return Object.defineProperty(new t('no'), Symbol.for('mcp.sdk.errorBrands'), { value: new Set(brands) });
}
