#!/usr/bin/env bash
# Compares the service with the state of a stack, changes nothing, and writes a report in Markdown with old and new values.
# usage: drift.sh STACK REPORT
# Exit codes: 0 no drift, 7 drift, others: it could not look, and whether there is drift is not known.
set -uo pipefail

stack=${1:?usage: drift.sh STACK REPORT}
report=${2:?usage: drift.sh STACK REPORT}

# Pulumi shows secrets as [secret], here as everywhere, but a password in the backend's address as it is.
output=$(pulumi refresh --preview-only --expect-no-changes --diff --non-interactive --color never --stack "$stack" 2>&1)
code=$?
output=$(sed -E 's#(://[^/:@[:space:]]*:)[^[:space:]]*@#\1[secret]@#g' <<< "$output")

case $code in
  0) title="No drift: the service has what the stack \`$stack\` declares." ;;
  7) title="**Drift** of the stack \`$stack\`: a line with \`~\` has the declared value => the one that is there now. \`pulumi up --refresh\` puts it back; to keep a change, write it into the program." ;;
  *) title="**The check of the stack \`$stack\` failed** (exit code $code), so whether there is drift is not known." ;;
esac

# A fence longer than any in the output; a comment takes some 65,000 characters.
{
  printf '%s\n\n' "$title"
  if [ "$code" != 0 ]; then
    printf '%s\n' '``````diff'
    printf '%s\n' "$output" | head -c 50000
    printf '\n%s\n' '``````'
  fi
} > "$report"
cat "$report"
exit "$code"
