"""The commands, one a module: what each takes. What it does is loaded when it is run."""
