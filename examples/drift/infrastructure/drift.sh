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
# Names and values are text of others: no terminal and no forge acts on them.
output=$(node --eval '
  const escaped = (text) => "\\u" + text.charCodeAt(0).toString(16).padStart(4, "0");
  process.stdout.write(
    require("node:fs")
      .readFileSync(0, "utf8")
      .replaceAll("\r\n", "\n")
      .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => sign.replaceAll(/[^]/g, escaped))
      .replaceAll(/^[^\S\n]*:(?=:)/gm, (start) => start.slice(0, -1) + escaped(":"))
      .replaceAll(/##(?=\[|vso\[|teamcity\[)|section_(?=start:|end:)/g, (mark) => escaped(mark) + mark.slice(1)),
  );
' <<< "$output") || exit 1
# Longer than any in the output.
fence='``````'
while [[ $output == *"$fence"* ]]; do fence+='`'; done

case $code in
  0) title="No drift: the service has what the stack \`$stack\` declares." ;;
  7) title="**Drift** of the stack \`$stack\`: a line with \`~\` has the declared value => the one that is there now. \`pulumi up --refresh\` puts it back; to keep a change, write it into the program." ;;
  *) title="**The check of the stack \`$stack\` failed** (exit code $code), so whether there is drift is not known." ;;
esac

# A comment takes some 65,000 characters.
{
  printf '%s\n\n' "$title"
  if [ "$code" != 0 ]; then
    printf '%s\n' "${fence}diff"
    printf '%s\n' "$output" | head -c 50000
    printf '\n%s\n' "$fence"
  fi
} > "$report"
cat "$report"
exit "$code"
