/** The last words of names of fields, headers and parameters that hold secrets, with everything below them. */
const SECRET =
  /(?:^|[_.-])(?:pass|passwd|password|passphrase|pwd|secrets?|tokens?|credentials?|authorization|cookie|custom_headers|signature|k|code_verifier|jwk|api_?keys?|(?:access|root|private|secret|service|auth)_?keys?)$/;
/** Which anybody may have. */
const PUBLIC = /(?:^|_)public_jwk$/;
/** What a log drain sends with, and addresses that may hold it. */
const OF_LOG_DRAIN = /^(?:access_key_id|cipher_key|client_key|dsn|endpoint|headers|structured_data|url)$/;

/** Whether what stands under a name is a secret; `path` is that of the call. */
export function isSecretName(name: string, path: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  if (SECRET.test(words)) return !PUBLIC.test(words);
  // What a DNS record holds is for everybody, and the code of an error is no authorization code.
  if (words === "value") return !path.includes("/custom-hostname");
  // What a query is given beside its text is what its text must not show.
  if (words === "parameters") return path.includes("/database/query");
  if (words === "code") return path.includes("/oauth/");
  return path.includes("/log-drains") && OF_LOG_DRAIN.test(words);
}
