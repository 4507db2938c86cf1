#!/bin/sh
# Begins a section of an answer (src/kit/sections.ts): say WORD REST.

say() { printf '@@faultline %s\n' "$*"; }
