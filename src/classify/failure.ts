import type {
  AuthChallenge,
  CallFailureOutcome,
  CallFailureReason,
  Delivery,
  FailureCategory,
} from '../outcome.ts';
import { compactJsonWindow } from '../redact/compact-json.ts';
import { readProperty } from '../redact/safe-read.ts';
import {
  type ErrorNode,
  type HttpFailure,
  isAmbiguousRpcCode,
  isRpcErrorNode,
  isTransportError,
  readAuthorization,
  readErrorMessage,
  readErrorNodes,
  readErrorSign,
  readHttpBody,
  readHttpFailure,
  readLegacySseFailure,
  readNetworkFailure,
  readScopeChallenge,
} from './error-facts.ts';
import type { ErrorSign } from './error-tables.ts';
import type {
  BadCallEvidence,
  ClassifyContext,
  EndedEvidence,
  HttpExchange,
  RejectionEvidence,
  RpcErrorEvidence,
} from './evidence.ts';
import { commonParts, hideCause, messageLimit, safeMessage } from './outcome-parts.ts';
import { readRpcError } from './wire-schemas.ts';

/** What is found out about a call that ended without a tool result, before it becomes an outcome. */
interface CallFailure {
  readonly reason: CallFailureReason;
  readonly message: string;
  readonly delivery: Delivery;
  readonly thrown: unknown;
  readonly category?: FailureCategory;
  readonly httpStatus?: number | undefined;
  readonly rpcError?: { readonly code: number; readonly data?: unknown };
  readonly sessionExpired?: boolean;
  readonly body?: string | undefined;
  readonly challenge?: AuthChallenge | undefined;
  readonly exchange?: HttpExchange | undefined;
}

/** A JSON-RPC error object: its code is kept, and decides nothing. */
export function classifyRpcErrorObject(
  evidence: RpcErrorEvidence,
  context: ClassifyContext,
): CallFailureOutcome {
  const { thrown, exchange } = evidence;
  const error = readRpcError(evidence.error);
  if (error === undefined) {
    const message = 'the JSON-RPC error object has no integer code or no message';
    return toCallFailure(
      { reason: 'invalid_answer', message, delivery: 'unknown', thrown, exchange },
      context,
    );
  }
  const { code, message, data } = error;
  return toCallFailure(
    {
      reason: 'protocol_error',
      message: `JSON-RPC error ${code}: ${message}`,
      delivery: 'answered',
      thrown,
      rpcError: data === undefined ? { code } : { code, data },
      exchange,
    },
    context,
  );
}

/** The wrapper's own verdict on a client that did not end the call. */
export function classifyEnded(evidence: EndedEvidence, context: ClassifyContext): CallFailureOutcome {
  const { reason, message, delivery, thrown, exchange } = evidence;
  return toCallFailure({ reason, message, delivery, thrown, body: exchange?.body, exchange }, context);
}

/** A call that could not be made as it was asked for. */
export function classifyBadCall(evidence: BadCallEvidence, context: ClassifyContext): CallFailureOutcome {
  const { message, thrown } = evidence;
  return toCallFailure({ reason: 'invalid_arguments', message, delivery: 'not_sent', thrown }, context);
}

/** A rejection without an answer, by its typed facts and by what the transport tap knows of it. */
export function classifyRejection(evidence: RejectionEvidence, context: ClassifyContext): CallFailureOutcome {
  const { thrown, origin, transport, exchange } = evidence;
  if (evidence.unserializable === true) {
    const message = `the arguments cannot be serialized: ${readErrorMessage(thrown)}`;
    return toCallFailure({ reason: 'invalid_arguments', message, delivery: 'not_sent', thrown }, context);
  }
  const nodes = readErrorNodes(thrown);
  const legacySse = transport?.legacySse === true && origin === 'send';
  const http =
    readHttpFailure(nodes, origin === 'send') ?? (legacySse ? readLegacySseFailure(nodes) : undefined);
  const httpStatus = http?.status;
  const decided = decideRejection(evidence, nodes, http);
  return toCallFailure(
    {
      ...decided,
      delivery: deliveries[origin] ?? decided.delivery,
      // Of several errors in one, the words and the body of the one that has the status.
      message: decided.reason === 'http_error' ? readErrorMessage(http?.node.value) : decided.message,
      thrown,
      httpStatus,
      sessionExpired:
        httpStatus === 404 &&
        origin === 'send' &&
        decided.delivery === 'answered' &&
        transport?.hasSession === true,
      body:
        exchange?.body ??
        (http === undefined ? undefined : readHttpBody(readErrorNodes(http.node.value), legacySse)),
      challenge: readScopeChallenge(nodes),
      exchange,
    },
    context,
  );
}

/** What the tap knows of the delivery, whatever the error says. A rejection that `send()` did not cause proves nothing. */
const deliveries: { readonly [O in RejectionEvidence['origin']]?: Delivery } = {
  not_sent: 'not_sent',
  sent: 'unknown',
};

type Decision = Pick<CallFailure, 'reason' | 'message' | 'delivery' | 'category' | 'rpcError'>;

function decideRejection(
  evidence: RejectionEvidence,
  nodes: readonly ErrorNode[],
  http: HttpFailure | undefined,
): Decision {
  const { thrown, origin, transport } = evidence;
  const httpStatus = http?.status;
  const message = readErrorMessage(thrown);
  const authorization = readAuthorization(nodes);
  const early = mayComeBeforeSending(evidence, http?.node);
  if (authorization !== undefined) {
    // SDK v1 asks for authorization only after a 401 or 403.
    const refused = httpStatus === undefined && origin === 'send';
    const delivery = refused ? 'answered' : httpDelivery(httpStatus);
    const denied = authorization === 'refused' || httpStatus === 401 || httpStatus === 403;
    return {
      reason: 'auth_required',
      message,
      delivery: early ? 'unknown' : delivery,
      category: denied ? 'access_denied' : 'transient_failure',
    };
  }
  if (httpStatus !== undefined) {
    return { reason: 'http_error', message, delivery: early ? 'unknown' : httpDelivery(httpStatus) };
  }
  if (origin === 'unknown' && nodes[0] !== undefined && isRpcErrorNode(nodes[0])) {
    return decideRpcErrorClass(nodes[0], message);
  }
  if (evidence.malformedAnswer === true) {
    return {
      reason: 'invalid_answer',
      message: 'the answer is not a JSON-RPC response',
      delivery: 'unknown',
    };
  }
  const network = readNetworkFailure(nodes);
  if (network !== undefined) {
    return {
      reason: 'network_error',
      message,
      delivery: network === 'never_connected' ? 'not_sent' : 'unknown',
    };
  }
  const sign = readErrorSign(nodes[0], origin === 'not_sent');
  if (sign !== undefined) {
    return { reason: sign, message, delivery: sign === 'not_connected' ? 'not_sent' : 'unknown' };
  }
  if (transport?.connected === false) {
    const reason = origin === 'not_sent' ? 'not_connected' : 'connection_closed';
    return { reason, message, delivery: 'unknown' };
  }
  return { reason: 'unknown_error', message, delivery: 'unknown' };
}

/** Without a view of the wire, SDK v1's own errors and the server's look alike: the codes that both use prove no answer. */
function decideRpcErrorClass(node: ErrorNode, message: string): Decision {
  const code = Number(readProperty(node.value, 'code'));
  const data = readProperty(node.value, 'data');
  const delivery = isAmbiguousRpcCode(node, code) ? 'unknown' : 'answered';
  const sign = readErrorSign(node, false);
  if (sign !== undefined && isLocalData(sign, data)) {
    return { reason: sign, message, delivery };
  }
  return {
    reason: 'protocol_error',
    message,
    delivery,
    rpcError: data === undefined ? { code } : { code, data },
  };
}

/** What SDK v1 puts on its own errors of these codes: its bound on a timeout, nothing on a closed connection. */
function isLocalData(sign: ErrorSign, data: unknown): boolean {
  const bounds = [readProperty(data, 'timeout'), readProperty(data, 'maxTotalTimeout')];
  return sign === 'timeout' ? bounds.some((bound) => typeof bound === 'number') : data === undefined;
}

/**
 * SDK v2 marks what the caller's authorization threw, which may be before the POST, with the status of an authorization
 * server. Its own errors with a status are about the POST.
 */
function mayComeBeforeSending({ thrown }: RejectionEvidence, http: ErrorNode | undefined): boolean {
  return readProperty(thrown, Symbol.for('mcp.authSeamEscape')) === true && !isTransportError(http);
}

/** A 4xx came from a server that refused to run the tool; 408 and 5xx may come from a gateway that passed it on. */
function httpDelivery(status: number | undefined): Delivery {
  return status !== undefined && status >= 400 && status <= 499 && status !== 408 ? 'answered' : 'unknown';
}

function categoryOf({ category, reason, httpStatus }: CallFailure): FailureCategory {
  if (category !== undefined) {
    return category;
  }
  if (httpStatus === 401 || httpStatus === 403 || reason === 'auth_required') {
    return 'access_denied';
  }
  if (httpStatus === 404) {
    return 'not_found';
  }
  return reason === 'invalid_arguments' ? 'invalid_input' : 'transient_failure';
}

function toCallFailure(failure: CallFailure, context: ClassifyContext): CallFailureOutcome {
  const { reason, delivery, httpStatus, rpcError, exchange, thrown } = failure;
  const sessionExpired = failure.sessionExpired === true;
  const body = context.errorBodies === 'include' ? excerptBody(failure.body, context) : undefined;
  const challenge = exchange?.challenge ?? failure.challenge;
  return hideCause({
    kind: 'call_failure',
    ok: false,
    category: categoryOf(failure),
    ...commonParts(context, toMessage(failure, body, context), delivery),
    reason,
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(rpcError === undefined ? {} : { rpcCode: rpcError.code }),
    ...(rpcError === undefined || !('data' in rpcError) ? {} : { rpcData: rpcError.data }),
    ...(exchange?.retryAfterMs === undefined ? {} : { retryAfterMs: exchange.retryAfterMs }),
    ...(challenge === undefined ? {} : { challenge: safeChallenge(challenge, context) }),
    ...(sessionExpired ? { sessionExpired } : {}),
    ...(body === undefined ? {} : { body }),
    cause: thrown,
  });
}

/**
 * `HTTP 404: session expired: <body>` for an HTTP answer. Without a body the error's own words stand there, but not
 * when bodies are unwanted: some errors quote them.
 */
function toMessage(failure: CallFailure, body: string | undefined, context: ClassifyContext): string {
  const { reason, httpStatus, message, sessionExpired } = failure;
  if (httpStatus === undefined) {
    // The errors of an authorization server quote its answers.
    const quotes = reason === 'auth_required' && context.errorBodies === 'status-only';
    return safeMessage(context, quotes ? 'authorization failed' : message);
  }
  const words = failure.body === undefined && context.errorBodies === 'include' ? message : undefined;
  const expired = sessionExpired === true ? 'session expired' : undefined;
  const parts = [`HTTP ${httpStatus}`, expired, body ?? words].filter(
    (part) => part !== undefined && part !== '',
  );
  return safeMessage(context, parts.join(': '));
}

function excerptBody(body: string | undefined, context: ClassifyContext): string | undefined {
  const compact = body === undefined ? '' : compactJsonWindow(body, messageLimit + 4_096);
  const text = context.redactor.bounded(compact, messageLimit).trim();
  return text === '' ? undefined : text;
}

function safeChallenge(challenge: AuthChallenge, { redactor }: ClassifyContext): AuthChallenge {
  return {
    ...(challenge.error === undefined ? {} : { error: redactor.bounded(challenge.error, 256) }),
    ...(challenge.scope === undefined ? {} : { scope: redactor.bounded(challenge.scope, 256) }),
  };
}
