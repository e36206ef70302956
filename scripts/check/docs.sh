#!/bin/sh
# The generated parts of docs/ match what the program prints, no verdict contradicts another one of its page, and the
# pictures of verdicts are those of the pages.
scripts/docs.sh --check && scripts/verdicts.sh --check
