#!/usr/bin/env node
"use strict";

// npm links a command when it installs, which in a clone is before the build.
require("./dist/emulator/cli.js");
