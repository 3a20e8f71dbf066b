/** Authentication schemes, as they stand before credentials in headers and in prose. */

export interface SchemeRow {
  /** In lower case. */
  readonly scheme: string;
  /** `token`: one word follows. `parameters`: a list of name="value" follows, to the end of the line. */
  readonly credentials: 'token' | 'parameters';
  /** An ordinary word too: believed in a header only. */
  readonly isWord?: true;
  readonly source: string;
}

export const schemes: readonly SchemeRow[] = [
  { scheme: 'bearer', credentials: 'token', source: 'RFC 6750' },
  { scheme: 'basic', credentials: 'token', source: 'RFC 7617' },
  { scheme: 'dpop', credentials: 'token', source: 'RFC 9449' },
  { scheme: 'negotiate', credentials: 'token', source: 'RFC 4559' },
  { scheme: 'ntlm', credentials: 'token', source: 'RFC 4559' },
  {
    scheme: 'token',
    credentials: 'token',
    isWord: true,
    source: 'https://docs.github.com/en/rest/authentication',
  },
  {
    scheme: 'apikey',
    credentials: 'token',
    source: 'https://www.elastic.co/docs/api/doc/elasticsearch/authentication',
  },
  { scheme: 'api-key', credentials: 'token', source: 'Written like apikey by several APIs' },
  { scheme: 'geniekey', credentials: 'token', source: 'https://docs.opsgenie.com/docs/authentication' },
  {
    scheme: 'ssws',
    credentials: 'token',
    source: 'https://developer.okta.com/docs/api/openapi/okta-management/guides/overview/',
  },
  {
    scheme: 'splunk',
    credentials: 'token',
    isWord: true,
    source: 'https://help.splunk.com/en/splunk-enterprise/get-started/get-data-in',
  },
  { scheme: 'jwt', credentials: 'token', isWord: true, source: 'Written like bearer by several APIs' },
  { scheme: 'key', credentials: 'token', isWord: true, source: 'https://fal.ai/docs' },
  { scheme: 'digest', credentials: 'parameters', source: 'RFC 7616' },
  { scheme: 'hawk', credentials: 'parameters', source: 'https://github.com/mozilla/hawk' },
  { scheme: 'oauth', credentials: 'parameters', source: 'RFC 5849' },
  {
    scheme: 'signature',
    credentials: 'parameters',
    source: 'https://datatracker.ietf.org/doc/html/draft-cavage-http-signatures',
  },
  {
    scheme: 'mac',
    credentials: 'parameters',
    source: 'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-http-mac',
  },
  {
    scheme: 'aws4-hmac-sha256',
    credentials: 'parameters',
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html',
  },
  {
    scheme: 'aws',
    credentials: 'token',
    isWord: true,
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html',
  },
  {
    scheme: 'sharedkey',
    credentials: 'token',
    source: 'https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key',
  },
  {
    scheme: 'sharedkeylite',
    credentials: 'token',
    source: 'https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key',
  },
  {
    scheme: 'sharedaccesssignature',
    credentials: 'parameters',
    source: 'https://learn.microsoft.com/rest/api/eventhub/generate-sas-token',
  },
  { scheme: 'vapid', credentials: 'parameters', source: 'RFC 8292' },
];
