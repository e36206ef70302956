#!/bin/sh
# The generated parts of docs/ match what the program prints.
scripts/docs.sh --check
