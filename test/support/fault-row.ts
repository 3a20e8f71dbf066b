/**
 * One row of the fault table: what the server (or the caller) does, how it is played, and the right outcome,
 * reasoned by hand from the package's contract. Never from what the code under test answers.
 */

import type { AuthChallenge, CallFailureReason, Delivery, OutcomeKind } from '../../src/outcome.ts';
import type { Play } from './fault-play.ts';
import type { FaultTransport } from './fault-script.ts';
import type { SdkName } from './fault-sdk.ts';

/**
 * The right outcome. A list means any of these: the contract leaves it open. `null` means the field must be absent.
 * A field that is not here is not judged.
 */
export interface Right {
  readonly kind: OutcomeKind;
  readonly category: string;
  readonly delivery: Delivery | readonly Delivery[];
  readonly reason?: CallFailureReason | readonly CallFailureReason[];
  readonly httpStatus?: number | null;
  readonly rpcCode?: number;
  readonly sessionExpired?: true | null;
  readonly taskId?: string;
  readonly schema?: 'call_tool_result' | 'output_schema';
  /** The codes of a success's warnings. */
  readonly warnings?: readonly string[];
  /** At least and at most, in milliseconds; only an observed fetch can know it. */
  readonly retryAfterMs?: readonly [number, number] | null;
  readonly challenge?: AuthChallenge | null;
  /** The very value, compared by identity. */
  readonly cause?: unknown;
}

export interface FaultRow {
  readonly id: string;
  readonly what: string;
  readonly transports: readonly FaultTransport[];
  readonly play: Play;
  readonly right: Right;
  /** What is right over one transport instead, with or without an observed fetch. */
  readonly rightOn?: Readonly<Partial<Record<FaultTransport, Right>>>;
  /** What differs over HTTP when the transport's fetch is observed. */
  readonly observed?: Partial<Right>;
  readonly observedOn?: Readonly<Partial<Record<FaultTransport, Partial<Right>>>>;
  /**
   * Over these transports only the client's own timer ends the call, whatever its reason, so it is played with a
   * short one. Implied where the reason may be `timeout`.
   */
  readonly endedByTimer?: readonly FaultTransport[];
  /** The next call of a healthy tool is not expected to work. */
  readonly notUsable?: true;
  /** The client asks the server again by itself. */
  readonly resends?: true;
  /** Why this is right. */
  readonly why: string;
  /** The clients that can do this at all; every client when absent. */
  readonly clients?: readonly SdkName[];
  /** What is different with one client: members of the row, and why. */
  readonly by?: Readonly<Partial<Record<SdkName, Difference>>>;
}

export type Difference = Partial<Omit<FaultRow, 'id' | 'what' | 'transports' | 'clients' | 'by'>> & {
  readonly why: string;
};

/** The same difference with SDK v2 in both eras. */
export function byV2(difference: Difference): NonNullable<FaultRow['by']> {
  return { v2: difference, 'v2-2026': difference };
}

/** The row as it is for one client. */
export function rowFor(row: FaultRow, sdk: SdkName): FaultRow {
  return { ...row, ...row.by?.[sdk] };
}

export function rightFor(row: FaultRow, transport: FaultTransport, observed: boolean): Right {
  const overHttp = observed ? { ...row.observed, ...row.observedOn?.[transport] } : {};
  return { ...(row.rightOn?.[transport] ?? row.right), ...overHttp };
}

/**
 * Enough transports for the other clients: of a row for every transport those over HTTP with a JSON answer and in memory,
 * and wherever the verdict differs. All other rows are about their transports.
 */
export function representative(row: FaultRow): readonly FaultTransport[] {
  const chosen = ['http-json', 'mem', ...Object.keys({ ...row.rightOn, ...row.observedOn })];
  return row.transports.length < 5
    ? row.transports
    : row.transports.filter((transport) => chosen.includes(transport));
}

/** Whether it takes the client's timer to end the call. */
export function needsTimer(row: FaultRow, transport: FaultTransport, observed: boolean): boolean {
  const { reason } = rightFor(row, transport, observed);
  const mayTimeOut = Array.isArray(reason) ? reason.includes('timeout') : reason === 'timeout';
  return mayTimeOut || row.endedByTimer?.includes(transport) === true;
}

// The recurring verdicts. Each row names the one it deserves and says why.

/** A well-formed result without a failure in it. */
export const success: Right = {
  kind: 'success',
  category: 'success',
  delivery: 'answered',
  warnings: [],
};

/** The server said `isError: true`. */
export const toolError: Right = { kind: 'tool_error', category: 'tool_error', delivery: 'answered' };

/** The result breaks MCP's own shape. */
export const malformedResult: Right = {
  kind: 'schema_mismatch',
  category: 'schema_mismatch',
  delivery: 'answered',
  schema: 'call_tool_result',
};

/** The structured content breaks the tool's own schema. */
export const outputMismatch: Right = { ...malformedResult, schema: 'output_schema' };

/** The caller's own signal stopped the call after it was sent. */
export const cancelled: Right = { kind: 'cancelled', category: 'cancelled', delivery: 'unknown' };

/** The call ended without an answer, for this reason. No status, because no HTTP error came. */
export function noAnswer(reason: CallFailureReason | readonly CallFailureReason[]): Right {
  return {
    kind: 'call_failure',
    category: 'transient_failure',
    delivery: 'unknown',
    reason,
    httpStatus: null,
  };
}

/** A JSON-RPC error object: always transient, never a status, whatever the code looks like. */
export function rpcError(rpcCode: number): Right {
  return { ...noAnswer('protocol_error'), delivery: 'answered', rpcCode };
}

/** The POST was answered with this status. */
export function httpError(httpStatus: number, category: string, delivery: Delivery): Right {
  return { kind: 'call_failure', category, delivery, reason: 'http_error', httpStatus };
}
