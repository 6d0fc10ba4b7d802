#!/usr/bin/env bash
# Looks what `pulumi up` would change in a stack, changes nothing, and writes it as Markdown, with old and new values.
# usage: plan.sh STACK REPORT
# Exit code: that of `pulumi preview`.
set -uo pipefail

stack=${1:?usage: plan.sh STACK REPORT}
report=${2:?usage: plan.sh STACK REPORT}

# Pulumi shows secrets as [secret], here as everywhere, but a password in the backend's address as it is.
output=$(pulumi preview --diff --non-interactive --color never --stack "$stack" 2>&1)
code=$?
output=$(sed -E 's#(://[^/:@[:space:]]*:)[^[:space:]]*@#\1[secret]@#g' <<< "$output")

case $code in
  0) title="### What \`$stack\` would get" ;;
  *) title="### What \`$stack\` would get is not known: \`pulumi preview\` failed (exit code $code)" ;;
esac

# A fence longer than any in the output; a comment takes some 65,000 characters.
{
  printf '%s\n\n%s\n' "$title" '``````diff'
  printf '%s\n' "$output" | head -c 50000
  printf '\n%s\n' '``````'
} > "$report"
cat "$report"
exit "$code"
