"""What `--help` shows of each command in use."""

from __future__ import annotations

PROGRAM = """
Examples:

\b
  warpviz                                    choose from the scenes
  warpviz tile-padding                       open one
  warpviz -e 's[k*lane]' --set k=8           explore an expression
  warpviz predict 'tile[lane][0]' --decl '__shared__ float tile[32][33];'
  warpviz predict 's[k*lane]' --set k=0..64 --json
  warpviz measure 's[k*lane]' --set k=8      run it on the GPU here
  warpviz sweep 's[k*lane]' --over k=0..64   the cost at every stride
"""

SWEEP = """
Examples:

\b
  warpviz sweep 's[k*lane]' --over k=0..64
  warpviz sweep 's[lane]' --over width=1..16
  warpviz sweep tile-padding --over pad=0..8 --measure --svg padding.svg
  warpviz sweep 'in[lane + o]' --space global --over o=0..32 --csv > offsets.csv
"""

EXPORT = """
Examples:

\b
  warpviz export stride --svg stride.svg
  warpviz export tile-padding --set pad=1 --access 2 --text -
  warpviz export -e 's[k*lane]' --set k=8 --step 3 --size 80x24 --svg third-pass.svg
  warpviz export float4 --json float4.json --csv float4.csv --cast float4.cast
"""

OPEN = """
Examples:

\b
  warpviz open stride
  warpviz stride --set k=32
  warpviz my-lesson.toml
  warpviz -e 'tile[lane][c]' --decl '__shared__ float tile[32][32 + pad];' --set c=0 --set pad=1
  warpviz -e 'in[3*lane]' --space global
"""

PREDICT = """
Examples:

\b
  warpviz predict 's[k*lane]' --set k=0..64
  warpviz predict 'p[lane].x' --decl 'struct P { float x, y, z; }; struct P* p;'
  warpviz predict '((float4*)s)[lane]' --op st --json
  warpviz predict 'in[lane]' --space global --where 'lane < 7'
"""

MEASURE = """
Examples:

\b
  warpviz measure 's[k*lane]' --set k=8
  warpviz measure tile-padding --set pad=0..2
  warpviz measure 'in[lane + o]' --space global --set o=1 --counters require
"""

SCENES = """
Examples:

\b
  warpviz scenes
  warpviz $(warpviz scenes | head -1 | cut -d' ' -f1)
"""

COMPLETION = """
Examples:

\b
  eval "$(warpviz completion bash)"          in ~/.bashrc
  eval "$(warpviz completion zsh)"           in ~/.zshrc
  warpviz completion fish > ~/.config/fish/completions/warpviz.fish
"""
