import { createRedactor } from '../index.ts';
import { toHeaders } from './headers.ts';
import type { HttpTarget, ServerTarget } from './server-target.ts';

/**
 * What must not be shown when a server echoes it: header values, query values of the URL, and the environment
 * variables whose names say that they are secret.
 */
export function secretsOf(target: ServerTarget): readonly string[] {
  const own = target.over === 'stdio' ? secretVariables(target.env) : requestSecrets(target);
  return [...own, ...secretVariables(process.env)];
}

function secretVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const redactor = createRedactor();
  // PWD is the working directory, whatever else the name may stand for.
  const isSecret = (name: string, value: string): boolean =>
    name !== 'PWD' && JSON.stringify(redactor.value({ [name]: value })) !== JSON.stringify({ [name]: value });
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecret(name, value) ? [value] : [],
  );
}

function requestSecrets({ url, headers }: HttpTarget): readonly string[] {
  // As they are given, and as they are sent: values of one name are joined.
  const values = [...headers.map(([, value]) => value), ...toHeaders(headers).values()];
  return [...url.searchParams.values(), ...values.flatMap(withoutScheme)];
}

/** `Bearer abc` is also known as `abc`. */
function withoutScheme(value: string): readonly string[] {
  const space = value.indexOf(' ');
  return space === -1 ? [value] : [value, value.slice(space + 1)];
}
