/**
 * Tokens that carry the name of who issued them. A row is a literal prefix and what may follow it. Lengths are
 * minimums on purpose: vendors change them, and a token in an error text is often cut.
 */

/** Which characters continue a token: letters and digits, plus what the name says. */
export type TokenBody =
  | 'alnum'
  /** `_` */
  | 'word'
  /** `_` and `-` */
  | 'dash'
  /** `_`, `-` and `.` */
  | 'dot'
  /** `_`, `-`, `.`, `+`, `/`, `=` and `%` */
  | 'path'
  /** Hexadecimal digits only. */
  | 'hex'
  /** Capitals and digits only. */
  | 'upper';

export interface VendorTokenRow {
  readonly prefix: string;
  readonly body: TokenBody;
  /** Fewest units behind the prefix; at the end of the text or before an ellipsis 6 are enough. */
  readonly min: number;
  /**
   * The prefix also starts ordinary words: no letter, digit, `-`, `_`, `.` or `/` may stand before it, `min` always counts, and
   * one unbroken run of 16 units with a digit must follow (or `min`, when that is less).
   */
  readonly weak?: true;
  /** The prefix is an address and stays; only the path behind it is secret. */
  readonly keepPrefix?: true;
  readonly about: string;
  /** Where the shape is documented. */
  readonly source: string;
}

const github =
  'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github';
const gitlab = 'https://docs.gitlab.com/security/tokens/';
const slack = 'https://docs.slack.dev/authentication/tokens';
const stripe = 'https://docs.stripe.com/keys';
const openai = 'https://platform.openai.com/docs/api-reference/authentication';
const aws = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html';
const google = 'https://developers.google.com/identity/protocols/oauth2';
const shopify = 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens';
const digitalOcean = 'https://docs.digitalocean.com/reference/api/create-personal-access-token/';
const linear = 'https://linear.app/developers/graphql';
const notion = 'https://developers.notion.com/docs/authorization';
const supabase = 'https://supabase.com/docs/guides/api/api-keys';
const figma = 'https://developers.figma.com/docs/rest-api/authentication/';
const docker = 'https://docs.docker.com/security/access-tokens/';
const sentry = 'https://docs.sentry.io/account/auth-tokens/';
const vault = 'https://developer.hashicorp.com/vault/docs/concepts/tokens';
const grafana = 'https://grafana.com/docs/grafana/latest/administration/service-accounts/';
const atlassian =
  'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/';
const planetscale = 'https://planetscale.com/docs/api/reference/service-tokens';
const doppler = 'https://docs.doppler.com/docs/service-tokens';
const newRelic = 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/';
const square = 'https://developer.squareup.com/docs/build-basics/access-tokens';
const vercel = 'https://vercel.com/docs/sign-in-with-vercel/tokens';
const cloudflare = 'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/';
const anthropic = 'https://docs.claude.com/en/api/overview';
const fly = 'https://fly.io/docs/security/tokens/';

export const vendorTokens: readonly VendorTokenRow[] = [
  // Source hosts
  { prefix: 'ghp_', body: 'alnum', min: 10, about: 'GitHub personal access token (classic)', source: github },
  { prefix: 'gho_', body: 'alnum', min: 10, about: 'GitHub OAuth access token', source: github },
  { prefix: 'ghu_', body: 'alnum', min: 10, about: 'GitHub App user access token', source: github },
  { prefix: 'ghs_', body: 'alnum', min: 10, about: 'GitHub App installation token', source: github },
  { prefix: 'ghr_', body: 'alnum', min: 10, about: 'GitHub App refresh token', source: github },
  { prefix: 'github_pat_', body: 'word', min: 10, about: 'GitHub fine-grained token', source: github },
  { prefix: 'glpat-', body: 'dot', min: 10, about: 'GitLab personal access token', source: gitlab },
  { prefix: 'gloas-', body: 'dot', min: 10, about: 'GitLab OAuth application secret', source: gitlab },
  { prefix: 'gldt-', body: 'dot', min: 10, about: 'GitLab deploy token', source: gitlab },
  { prefix: 'glrt-', body: 'dot', min: 10, about: 'GitLab runner token', source: gitlab },
  { prefix: 'glrtr-', body: 'dot', min: 10, about: 'GitLab runner registration token', source: gitlab },
  { prefix: 'glcbt-', body: 'dot', min: 10, about: 'GitLab CI/CD job token', source: gitlab },
  { prefix: 'glptt-', body: 'dot', min: 10, about: 'GitLab trigger token', source: gitlab },
  { prefix: 'glft-', body: 'dot', min: 10, about: 'GitLab feed token', source: gitlab },
  { prefix: 'glimt-', body: 'dot', min: 10, about: 'GitLab incoming mail token', source: gitlab },
  { prefix: 'glagent-', body: 'dot', min: 10, about: 'GitLab agent token', source: gitlab },
  { prefix: 'glsoat-', body: 'dot', min: 10, about: 'GitLab SCIM token', source: gitlab },
  {
    prefix: 'ATBB',
    body: 'alnum',
    min: 20,
    about: 'Bitbucket app password',
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/app-passwords/',
  },
  // Chat
  { prefix: 'xoxa-', body: 'dash', min: 10, about: 'Slack app token (legacy)', source: slack },
  { prefix: 'xoxb-', body: 'dash', min: 10, about: 'Slack bot token', source: slack },
  { prefix: 'xoxc-', body: 'dash', min: 10, about: 'Slack client token', source: slack },
  { prefix: 'xoxd-', body: 'path', min: 10, about: 'Slack client cookie', source: slack },
  { prefix: 'xoxe-', body: 'dash', min: 10, about: 'Slack refresh token', source: slack },
  { prefix: 'xoxe.', body: 'dot', min: 10, about: 'Slack rotated token', source: slack },
  { prefix: 'xoxo-', body: 'dash', min: 10, about: 'Slack legacy token', source: slack },
  { prefix: 'xoxp-', body: 'dash', min: 10, about: 'Slack user token', source: slack },
  { prefix: 'xoxr-', body: 'dash', min: 10, about: 'Slack refresh token (legacy)', source: slack },
  { prefix: 'xoxs-', body: 'dash', min: 10, about: 'Slack workspace token', source: slack },
  { prefix: 'xapp-', body: 'dash', min: 10, about: 'Slack app-level token', source: slack },
  { prefix: 'xwfp-', body: 'dash', min: 10, about: 'Slack workflow token', source: slack },
  {
    prefix: 'hooks.slack.com/',
    body: 'path',
    min: 12,
    keepPrefix: true,
    about: 'Slack incoming webhook',
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  },
  {
    prefix: 'api/webhooks/',
    body: 'path',
    min: 12,
    keepPrefix: true,
    about: 'Discord webhook',
    source: 'https://discord.com/developers/docs/resources/webhook',
  },
  {
    prefix: 'webhook.office.com/',
    body: 'path',
    min: 12,
    keepPrefix: true,
    about: 'Microsoft Teams webhook',
    source:
      'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  },
  {
    prefix: 'hooks.zapier.com/hooks/',
    body: 'path',
    min: 8,
    keepPrefix: true,
    about: 'Zapier webhook',
    source: 'https://help.zapier.com/hc/en-us/articles/8496288690317',
  },
  // Payments and shops
  { prefix: 'sk_live_', body: 'alnum', min: 10, about: 'Stripe secret key', source: stripe },
  { prefix: 'sk_test_', body: 'alnum', min: 10, about: 'Stripe secret test key', source: stripe },
  { prefix: 'rk_live_', body: 'alnum', min: 10, about: 'Stripe restricted key', source: stripe },
  { prefix: 'rk_test_', body: 'alnum', min: 10, about: 'Stripe restricted test key', source: stripe },
  {
    prefix: 'whsec_',
    body: 'path',
    min: 10,
    about: 'Stripe webhook signing secret',
    source: 'https://docs.stripe.com/webhooks',
  },
  { prefix: 'shpat_', body: 'alnum', min: 10, about: 'Shopify admin access token', source: shopify },
  { prefix: 'shpca_', body: 'alnum', min: 10, about: 'Shopify custom app token', source: shopify },
  { prefix: 'shppa_', body: 'alnum', min: 10, about: 'Shopify private app token', source: shopify },
  { prefix: 'shpss_', body: 'alnum', min: 10, about: 'Shopify shared secret', source: shopify },
  { prefix: 'shprt_', body: 'alnum', min: 10, about: 'Shopify refresh token', source: shopify },
  { prefix: 'sq0atp-', body: 'dash', min: 10, about: 'Square access token', source: square },
  { prefix: 'sq0csp-', body: 'dash', min: 10, about: 'Square OAuth secret', source: square },
  { prefix: 'EAAAE', body: 'dash', min: 40, weak: true, about: 'Square access token', source: square },
  // Models and agents
  { prefix: 'sk-proj-', body: 'dash', min: 10, about: 'OpenAI project key', source: openai },
  { prefix: 'sk-svcacct-', body: 'dash', min: 10, about: 'OpenAI service account key', source: openai },
  { prefix: 'sk-admin-', body: 'dash', min: 10, about: 'OpenAI admin key', source: openai },
  { prefix: 'sk-ant-', body: 'dash', min: 10, about: 'Anthropic API key or OAuth token', source: anthropic },
  {
    prefix: 'sk-or-v1-',
    body: 'dash',
    min: 10,
    about: 'OpenRouter key',
    source: 'https://openrouter.ai/docs/api-reference/authentication',
  },
  {
    prefix: 'sk-lf-',
    body: 'dash',
    min: 10,
    about: 'Langfuse secret key',
    source: 'https://langfuse.com/docs/api',
  },
  {
    prefix: 'sk-',
    body: 'dash',
    min: 16,
    weak: true,
    about: 'OpenAI key (legacy) and the many services that copied its shape',
    source: openai,
  },
  {
    prefix: 'gsk_',
    body: 'alnum',
    min: 10,
    about: 'Groq key',
    source: 'https://console.groq.com/docs/quickstart',
  },
  { prefix: 'xai-', body: 'alnum', min: 16, about: 'xAI key', source: 'https://docs.x.ai/docs/tutorial' },
  {
    prefix: 'r8_',
    body: 'alnum',
    min: 20,
    about: 'Replicate token',
    source: 'https://replicate.com/docs/topics/security/api-tokens',
  },
  {
    prefix: 'hf_',
    body: 'alnum',
    min: 16,
    about: 'Hugging Face token',
    source: 'https://huggingface.co/docs/hub/security-tokens',
  },
  {
    prefix: 'api_org_',
    body: 'alnum',
    min: 16,
    about: 'Hugging Face organization token',
    source: 'https://huggingface.co/docs/hub/security-tokens',
  },
  {
    prefix: 'pplx-',
    body: 'alnum',
    min: 16,
    about: 'Perplexity key',
    source: 'https://docs.perplexity.ai/getting-started/quickstart',
  },
  {
    prefix: 'tvly-',
    body: 'dash',
    min: 10,
    about: 'Tavily key',
    source: 'https://docs.tavily.com/documentation/api-reference/introduction',
  },
  {
    prefix: 'fc-',
    body: 'hex',
    min: 32,
    weak: true,
    about: 'Firecrawl key',
    source: 'https://docs.firecrawl.dev/introduction',
  },
  { prefix: 'jina_', body: 'dash', min: 20, about: 'Jina AI key', source: 'https://jina.ai/reader/' },
  {
    prefix: 'lsv2_',
    body: 'word',
    min: 10,
    about: 'LangSmith key',
    source: 'https://docs.langchain.com/langsmith/create-account-api-key',
  },
  {
    prefix: 'nvapi-',
    body: 'dash',
    min: 10,
    about: 'NVIDIA API key',
    source: 'https://docs.api.nvidia.com/',
  },
  {
    prefix: 'apify_api_',
    body: 'alnum',
    min: 10,
    about: 'Apify token',
    source: 'https://docs.apify.com/platform/integrations/api',
  },
  { prefix: 'e2b_', body: 'alnum', min: 16, about: 'E2B key', source: 'https://e2b.dev/docs/api-key' },
  {
    prefix: 'bb_live_',
    body: 'dash',
    min: 10,
    about: 'Browserbase key',
    source: 'https://docs.browserbase.com/',
  },
  {
    prefix: 'AIza',
    body: 'dash',
    min: 16,
    about: 'Google API key',
    source: 'https://cloud.google.com/docs/authentication/api-keys',
  },
  // Clouds
  { prefix: 'AKIA', body: 'upper', min: 12, about: 'AWS access key id', source: aws },
  { prefix: 'ASIA', body: 'upper', min: 12, about: 'AWS temporary access key id', source: aws },
  { prefix: 'ABIA', body: 'upper', min: 12, about: 'AWS STS bearer token', source: aws },
  { prefix: 'ACCA', body: 'upper', min: 12, about: 'AWS context-specific credential', source: aws },
  {
    prefix: 'ABSK',
    body: 'path',
    min: 24,
    about: 'Amazon Bedrock API key',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
  },
  {
    prefix: 'bedrock-api-key-',
    body: 'path',
    min: 16,
    about: 'Amazon Bedrock short-term key',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
  },
  {
    prefix: 'LTAI',
    body: 'alnum',
    min: 12,
    about: 'Alibaba Cloud access key id',
    source: 'https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair',
  },
  { prefix: 'ya29.', body: 'dot', min: 10, about: 'Google OAuth access token', source: google },
  { prefix: 'GOCSPX-', body: 'dash', min: 10, about: 'Google OAuth client secret', source: google },
  { prefix: '1//0', body: 'dash', min: 16, weak: true, about: 'Google OAuth refresh token', source: google },
  { prefix: 'dop_v1_', body: 'alnum', min: 10, about: 'DigitalOcean personal token', source: digitalOcean },
  { prefix: 'doo_v1_', body: 'alnum', min: 10, about: 'DigitalOcean OAuth token', source: digitalOcean },
  { prefix: 'dor_v1_', body: 'alnum', min: 10, about: 'DigitalOcean refresh token', source: digitalOcean },
  { prefix: 'vcp_', body: 'alnum', min: 16, about: 'Vercel personal token', source: vercel },
  { prefix: 'vci_', body: 'alnum', min: 16, about: 'Vercel integration token', source: vercel },
  { prefix: 'vca_', body: 'alnum', min: 16, about: 'Vercel app token', source: vercel },
  { prefix: 'vcr_', body: 'alnum', min: 16, about: 'Vercel refresh token', source: vercel },
  { prefix: 'vck_', body: 'alnum', min: 16, about: 'Vercel AI Gateway key', source: vercel },
  { prefix: 'cfk_', body: 'alnum', min: 16, about: 'Cloudflare global API key', source: cloudflare },
  { prefix: 'cfut_', body: 'alnum', min: 16, about: 'Cloudflare user token', source: cloudflare },
  { prefix: 'cfat_', body: 'alnum', min: 16, about: 'Cloudflare account token', source: cloudflare },
  { prefix: 'fm2_', body: 'path', min: 16, about: 'Fly.io token', source: fly },
  { prefix: 'fo1_', body: 'dash', min: 16, about: 'Fly.io OAuth token', source: fly },
  {
    prefix: 'nfp_',
    body: 'alnum',
    min: 16,
    about: 'Netlify token',
    source: 'https://docs.netlify.com/api/get-started/',
  },
  {
    prefix: 'HRKU-',
    body: 'dash',
    min: 16,
    about: 'Heroku key',
    source: 'https://devcenter.heroku.com/articles/authentication',
  },
  {
    prefix: 'sha256~',
    body: 'dash',
    min: 16,
    about: 'OpenShift token',
    source: 'https://docs.redhat.com/en/documentation/openshift_container_platform/',
  },
  {
    prefix: 'dapi',
    body: 'hex',
    min: 32,
    weak: true,
    about: 'Databricks token',
    source: 'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
  },
  {
    prefix: 'dt0c01.',
    body: 'dot',
    min: 16,
    about: 'Dynatrace token',
    source:
      'https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens',
  },
  {
    prefix: 'dt0s16.',
    body: 'dot',
    min: 16,
    about: 'Dynatrace platform token',
    source:
      'https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens',
  },
  {
    prefix: 'pul-',
    body: 'hex',
    min: 32,
    weak: true,
    about: 'Pulumi token',
    source: 'https://www.pulumi.com/docs/administration/access-identity/access-tokens/',
  },
  {
    prefix: 'tskey-',
    body: 'dash',
    min: 10,
    about: 'Tailscale key',
    source: 'https://tailscale.com/kb/1277/key-prefixes',
  },
  // Secret stores
  { prefix: 'hvs.', body: 'dash', min: 16, about: 'HashiCorp Vault service token', source: vault },
  { prefix: 'hvb.', body: 'dash', min: 16, about: 'HashiCorp Vault batch token', source: vault },
  { prefix: 'hvr.', body: 'dash', min: 16, about: 'HashiCorp Vault recovery token', source: vault },
  { prefix: 'dp.pt.', body: 'alnum', min: 16, about: 'Doppler personal token', source: doppler },
  { prefix: 'dp.st.', body: 'dot', min: 16, about: 'Doppler service token', source: doppler },
  { prefix: 'dp.ct.', body: 'alnum', min: 16, about: 'Doppler CLI token', source: doppler },
  { prefix: 'dp.sa.', body: 'alnum', min: 16, about: 'Doppler service account token', source: doppler },
  { prefix: 'dp.scim.', body: 'alnum', min: 16, about: 'Doppler SCIM token', source: doppler },
  { prefix: 'dp.audit.', body: 'alnum', min: 16, about: 'Doppler audit token', source: doppler },
  {
    prefix: 'ops_eyJ',
    body: 'path',
    min: 16,
    about: '1Password service account token',
    source: 'https://developer.1password.com/docs/service-accounts/',
  },
  {
    prefix: 'AGE-SECRET-KEY-1',
    body: 'upper',
    min: 10,
    about: 'age private key',
    source: 'https://age-encryption.org/v1',
  },
  // Package registries
  {
    prefix: 'npm_',
    body: 'alnum',
    min: 16,
    about: 'npm token',
    source: 'https://docs.npmjs.com/about-access-tokens',
  },
  {
    prefix: 'pypi-',
    body: 'dash',
    min: 16,
    weak: true,
    about: 'PyPI token',
    source: 'https://pypi.org/help/#apitoken',
  },
  {
    prefix: 'rubygems_',
    body: 'hex',
    min: 16,
    about: 'RubyGems key',
    source: 'https://guides.rubygems.org/api-key-scopes/',
  },
  { prefix: 'dckr_pat_', body: 'dash', min: 10, about: 'Docker personal token', source: docker },
  { prefix: 'dckr_oat_', body: 'dash', min: 10, about: 'Docker organization token', source: docker },
  // Mail and telephony
  {
    prefix: 'SK',
    body: 'hex',
    min: 32,
    weak: true,
    about: 'Twilio API key',
    source: 'https://www.twilio.com/docs/iam/api-keys',
  },
  {
    prefix: 'key-',
    body: 'hex',
    min: 32,
    weak: true,
    about: 'Mailgun key',
    source: 'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/',
  },
  {
    prefix: 'xkeysib-',
    body: 'dash',
    min: 16,
    about: 'Brevo key',
    source: 'https://developers.brevo.com/docs/getting-started',
  },
  {
    prefix: 're_',
    body: 'word',
    min: 20,
    weak: true,
    about: 'Resend key',
    source: 'https://resend.com/docs/api-reference/introduction',
  },
  // Work and data
  { prefix: 'lin_api_', body: 'alnum', min: 10, about: 'Linear key', source: linear },
  { prefix: 'lin_oauth_', body: 'alnum', min: 10, about: 'Linear OAuth token', source: linear },
  { prefix: 'ntn_', body: 'alnum', min: 16, about: 'Notion token', source: notion },
  { prefix: 'secret_', body: 'alnum', min: 32, weak: true, about: 'Notion token (older)', source: notion },
  { prefix: 'sb_secret_', body: 'dash', min: 10, about: 'Supabase secret key', source: supabase },
  { prefix: 'sbp_', body: 'word', min: 16, about: 'Supabase personal token', source: supabase },
  { prefix: 'figd_', body: 'dash', min: 16, about: 'Figma token', source: figma },
  { prefix: 'figo_', body: 'dash', min: 16, about: 'Figma OAuth token', source: figma },
  { prefix: 'sntrys_', body: 'path', min: 16, about: 'Sentry organization token', source: sentry },
  { prefix: 'sntryu_', body: 'alnum', min: 16, about: 'Sentry user token', source: sentry },
  {
    prefix: 'PMAK-',
    body: 'dash',
    min: 16,
    about: 'Postman key',
    source: 'https://learning.postman.com/docs/developer/postman-api/authentication/',
  },
  { prefix: 'glsa_', body: 'word', min: 16, about: 'Grafana service account token', source: grafana },
  { prefix: 'glc_', body: 'path', min: 16, about: 'Grafana Cloud token', source: grafana },
  { prefix: 'ATATT3', body: 'path', min: 10, about: 'Atlassian API token', source: atlassian },
  { prefix: 'ATCTT3', body: 'path', min: 10, about: 'Atlassian access token', source: atlassian },
  { prefix: 'pscale_tkn_', body: 'dot', min: 10, about: 'PlanetScale token', source: planetscale },
  { prefix: 'pscale_pw_', body: 'dot', min: 10, about: 'PlanetScale password', source: planetscale },
  { prefix: 'pscale_oauth_', body: 'dot', min: 10, about: 'PlanetScale OAuth token', source: planetscale },
  { prefix: 'NRAK-', body: 'upper', min: 10, about: 'New Relic user key', source: newRelic },
  { prefix: 'NRJS-', body: 'hex', min: 10, about: 'New Relic browser key', source: newRelic },
  { prefix: 'NRII-', body: 'dash', min: 10, about: 'New Relic insert key', source: newRelic },
  {
    prefix: 'phx_',
    body: 'alnum',
    min: 16,
    about: 'PostHog personal key',
    source: 'https://posthog.com/docs/api',
  },
  {
    prefix: 'CFPAT-',
    body: 'dash',
    min: 16,
    about: 'Contentful token',
    source: 'https://www.contentful.com/developers/docs/references/authentication/',
  },
];
