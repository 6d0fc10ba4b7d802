export const usage = `Usage: management-previews <command> [options]

Looks after the previews of a repository's pull requests. A preview is a branch of
a project, and a stack of the same name: the prefix, the number of the pull
request, and what tells the repository and the project. The service's address and
token come from MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN.

  init     writes the program, the workflows and what else they need into a
           repository, and says what the token for them reaches and what to set
  check    says which reads of the project succeed with the token
  name     prints the name of the preview of a pull request
  run      runs the command behind --, with that stack selected, unless the stack
           is of another project, Git branch or pull request; and once more where
           only locks that dead runners left were in its way
  remove   removes the preview of a pull request: its stack, and a branch without
           one; what is of another project, Git branch or pull request stays
  status   lists all previews

In a job of the forge, which is asked with GITHUB_TOKEN or GITLAB_TOKEN:
  sweep    removes those whose pull request is closed or merged, or that are older
           than the hours in their function secret PREVIEW_TTL_HOURS; without --yes
           it only lists them. What the forge does not tell of stays
  look     prints what became of a pull request: closed, superseded (open, with
           another last commit) or current
  comment  writes the one comment that it has on a pull request; one of another
           author is left alone

  --project <ref>          project that the branches are made from
  --repository <address>   web address of the repository, as
                           https://forge.example.com/acme/shop (default: that of
                           the job)
  --prefix <text>          what names of previews begin with (default pr-)
  --number <number>        the pull request's
  --git-branch <name>      run, remove: Git branch of the pull request (remove:
                           by default the forge is asked)
  --stack-pattern <name>   run, remove, sweep: name of the stack, with {name} for
                           the preview's; run takes {name}, the others no stack by
                           default
  --work-dir <folder>      run, remove, sweep: folder of the stack's program
                           (default: this one)
  --unlock-after-minutes <number>
                           run, remove, sweep: takes away the stack's locks where
                           all are older, at least 60: longer than any job lasts
  --json                   sweep, status: prints JSON
  --yes                    sweep: removes them
  --max <number>           sweep: most previews to remove (default 10)
  --grace-minutes <number> sweep: younger branches stay (default 60)
  --commit <hash>          look: the commit that has to be its last one
  --file <file>            comment: its text (default: standard input)
  --comment-author <login> comment: on GitHub, whose GITHUB_TOKEN is (default
                           github-actions[bot], whose that of a job is)
  --forge <name>           init: github or gitlab (default: by the folder's remote)
  --parent <ref>           init: project to branch from; not production
  --dir <folder>           init: the repository (default: this one)
  --force                  init: overwrites files that are there and different
  --help                   prints this text

Exit codes: 0 all is as it should be, or was only listed; 1 something failed, and
what could not be listed completely was not touched; 2 the command line is wrong;
130 and 143 it was stopped by SIGINT or SIGTERM, and the stack is free.
`;
