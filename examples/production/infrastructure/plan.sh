#!/usr/bin/env bash
# Looks what `pulumi up` would change in a stack, changes nothing, and writes it as Markdown, with old and new values.
# With CHANGES, it also writes there a line for each operation, with URN and changed paths: by them two plans are compared.
# usage: plan.sh STACK REPORT [CHANGES]
# Exit code: that of `pulumi preview`.
set -uo pipefail

stack=${1:?usage: plan.sh STACK REPORT [CHANGES]}
report=${2:?usage: plan.sh STACK REPORT [CHANGES]}
changes=${3:-}

# Pulumi shows secrets as [secret], here as everywhere, but a password in the backend's address as it is.
output=$(pulumi preview --diff --non-interactive --color never --stack "$stack" 2>&1)
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
  0) title="### What \`$stack\` would get" ;;
  *) title="### What \`$stack\` would get is not known: \`pulumi preview\` failed (exit code $code)" ;;
esac

# A comment takes some 65,000 characters.
{
  printf '%s\n\n%s\n' "$title" "${fence}diff"
  printf '%s\n' "$output" | head -c 50000
  printf '\n%s\n' "$fence"
} > "$report"
cat "$report"
if [ "$code" != 0 ] || [ -z "$changes" ]; then exit "$code"; fi

# What the JSON says of values stays in the pipe: they may be secrets.
set -e
pulumi preview --json --non-interactive --stack "$stack" | node --eval '
  const { steps } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const isObject = (value) => typeof value === "object" && value !== null;
  // Not every provider says which paths change.
  const changed = (before, after, path) => {
    if (!isObject(before) || !isObject(after)) return before === after ? [] : [path];
    const keys = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => !key.startsWith("__")));
    return [...keys].flatMap((key) => changed(before[key], after[key], path === "" ? key : path + "." + key));
  };
  const lines = steps
    .filter(({ op }) => op !== "same" && op !== "read")
    .map(({ op, urn, detailedDiff, oldState, newState }) => {
      const paths = new Set([
        ...Object.keys(detailedDiff ?? {}),
        ...changed(oldState?.inputs ?? {}, newState?.inputs ?? {}, ""),
      ]);
      return [op, urn, ...[...paths].sort()].join(" ").replaceAll(/[\r\n]/g, " ") + "\n";
    });
  process.stdout.write(lines.sort().join(""));
' > "$changes"
