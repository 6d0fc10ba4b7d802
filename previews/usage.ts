export const usage = `Usage: management-previews <command> [options]

Looks after the preview branches of pull requests: branches that are called as a
prefix and the number of a pull request, and are neither default nor persistent.
The service's address and token come from MANAGEMENT_BASE_URL and
MANAGEMENT_ACCESS_TOKEN.

  init     writes the program, the workflows and what else they need into a
           repository, and says what to set in the forge
  sweep    removes those whose pull request is not open, or that are older than
           the hours in their function secret PREVIEW_TTL_HOURS; without --yes it
           only lists them
  status   lists all of them
  remove   removes the one of a pull request: its stack, and a branch without one
  run      runs the command behind --, and once more where only locks that dead
           runners left on the stack were in its way

In a job of the forge, which is asked with GITHUB_TOKEN or GITLAB_TOKEN:
  look     prints what became of a pull request: closed, superseded (open, with
           another last commit) or current
  comment  writes the one comment that it has on a pull request

  --project <ref>          sweep, status, remove: project that the branches were
                           made from
  --prefix <text>          what their names begin with (default pr-)
  --open-prs <file>        sweep, status: numbers of the open pull requests, one in
                           a line, or a JSON array of numbers or of objects with
                           number or iid; - for standard input; forge to ask the
                           forge whose job this is; sweep needs it
  --json                   sweep, status: prints JSON
  --yes                    sweep: removes them
  --max <number>           sweep: most branches to remove (default 10)
  --grace-minutes <number> sweep: younger branches stay (default 60)
  --allow-empty            sweep: there may be no open pull request at all
  --stack-pattern <name>   sweep, remove: destroys and removes the stack of this
                           name, with {number} for the pull request's, where there
                           is one; run: names the stack
  --work-dir <folder>      sweep, remove, run: folder of the stack's program
                           (default: this one)
  --unlock-after-minutes <number>
                           remove, run: takes away the stack's locks where all are
                           older, at least 60: longer than any job lasts
  --number <number>        remove, run, look, comment: the pull request's
  --commit <hash>          look: the commit that has to be its last one
  --file <file>            comment: its text (default: standard input)
  --forge <name>           init: github or gitlab (default: by the folder's remote)
  --dir <folder>           init: the repository (default: this one)
  --force                  init: overwrites files that are there and different
  --help                   prints this text

Exit codes: 0 all is as it should be, or was only listed; 1 something failed, and
what could not be listed completely was not touched; 2 the command line is wrong.
`;
