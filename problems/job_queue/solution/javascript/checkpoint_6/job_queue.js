"use strict";

/** Job queue: a server that hands out jobs to workers. */

const { serve } = require("./lib/server");

serve(Number(process.env.PORT), "journal.jsonl");
