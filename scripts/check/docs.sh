#!/bin/sh
# The generated parts of docs/ are what the program prints today.
scripts/docs.sh --check
