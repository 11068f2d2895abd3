"""The pure core: published facts in, sized deployments out. No Django, no I/O, no clock."""
